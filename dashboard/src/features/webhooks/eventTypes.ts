/** The types that endpoints may subscribe to. */
export const EVENT_TYPES = [
  "message.created",
  "message.updated",
  "workflow_instance.status_changed",
  "ticket.created",
  "ticket.updated",
  "budget.warned",
  "budget.exceeded",
] as const;

/** The types in the order in which all pages list them. */
export function inOrder(types: string[]): string[] {
  return EVENT_TYPES.filter((type) => types.includes(type));
}

/** The type of test events. */
export const PING = "webhook_endpoint.ping";
