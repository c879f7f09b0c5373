/** The types that endpoints may subscribe to. */
export const EVENT_TYPES = [
  "message.created",
  "message.updated",
  "workflow_instance.status_changed",
  "ticket.created",
  "ticket.updated",
] as const;

/** The type of test events. */
export const PING = "webhook_endpoint.ping";
