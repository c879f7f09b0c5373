import type { Schemas } from "../../api";
import { optionsOf } from "../../components/optionsOf";

/** The states of deliveries, as options of a filter. */
export const STATE_OPTIONS = optionsOf({
  PENDING: "Pending",
  RETRYING: "Retrying",
  DELIVERED: "Delivered",
  FAILED: "Failed",
  CANCELLED: "Cancelled",
});

export type DeliveryState = (typeof STATE_OPTIONS)[number]["value"];

/**
 * The label of the button that sends a delivery. Null for one that waits for its first attempt: it is being sent, or an
 * earlier event of the same conversation or run must be accepted first.
 */
export function resendLabel(state: DeliveryState): string | null {
  if (state === "PENDING") {
    return null;
  }
  return state === "RETRYING" ? "Retry now" : "Resend";
}

/** The result of the last attempt, such as "HTTP 500"; null without attempts. */
export function lastResponse(delivery: Attempted): string | null {
  const { attempt_count, last_status, last_error } = delivery;
  if (attempt_count === 0) {
    return null;
  }
  return last_status === null ? (last_error ?? "No response") : `HTTP ${last_status}`;
}

type Attempted = Pick<Schemas["WebhookDelivery"], "attempt_count" | "last_status" | "last_error">;
