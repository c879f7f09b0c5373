export const EVENT_TYPES = [
  "message.created",
  "message.updated",
  "workflow_instance.status_changed",
  "ticket.created",
  "ticket.updated",
] as const;
