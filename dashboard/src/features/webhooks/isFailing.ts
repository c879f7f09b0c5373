import type { Schemas } from "../../api";

/** Whether it refuses deliveries, or was disabled for that. */
export function isFailing(props: Schemas["WebhookEndpointDetails"]): boolean {
  const { enabled, disabled_reason, activity } = props;
  const { delivered, retrying, last_failed_at } = activity;
  return enabled ? retrying > 0 || (delivered === 0 && last_failed_at !== null) : disabled_reason !== null;
}
