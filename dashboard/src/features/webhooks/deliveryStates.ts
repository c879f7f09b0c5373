/** The states of deliveries, as options of a filter. */
export const STATE_OPTIONS = [
  { value: "PENDING", label: "Pending" },
  { value: "RETRYING", label: "Retrying" },
  { value: "DELIVERED", label: "Delivered" },
  { value: "FAILED", label: "Failed" },
  { value: "CANCELLED", label: "Cancelled" },
] as const;

export type DeliveryState = (typeof STATE_OPTIONS)[number]["value"];

/** The label of the button that sends a delivery again; null while it waits for its first attempt. */
export function resendLabel(state: DeliveryState): string | null {
  return state === "PENDING" ? null : state === "RETRYING" ? "Retry now" : "Resend";
}
