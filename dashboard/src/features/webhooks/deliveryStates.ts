/** The states of deliveries, as options of a filter. */
export const STATE_OPTIONS = [
  { value: "PENDING", label: "Pending" },
  { value: "RETRYING", label: "Retrying" },
  { value: "DELIVERED", label: "Delivered" },
  { value: "FAILED", label: "Failed" },
  { value: "CANCELLED", label: "Cancelled" },
] as const;

export type DeliveryState = (typeof STATE_OPTIONS)[number]["value"];

interface WaitingDelivery {
  state: DeliveryState;
  next_attempt_at: string | null;
}

/** Whether it was never sent, because an earlier event of the same conversation or run isn't accepted yet. */
export const isHeldBack = ({ state, next_attempt_at }: WaitingDelivery) =>
  state === "PENDING" && next_attempt_at !== null;

/** The label of the button that sends a delivery; null while it is being sent for the first time. */
export function resendLabel(delivery: WaitingDelivery): string | null {
  if (delivery.state === "PENDING") {
    return isHeldBack(delivery) ? "Send now" : null;
  }
  return delivery.state === "RETRYING" ? "Retry now" : "Resend";
}
