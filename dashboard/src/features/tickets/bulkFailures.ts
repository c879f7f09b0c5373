import type { Schemas } from "../../api";

const MAX_NUMBERS = 5;

/** Each reason why tickets were not changed, with their numbers: "#3, #7: Another person has claimed the ticket." */
export function failureSummary(
  failed: Schemas["TicketBulkResult"][],
  numbers: ReadonlyMap<string, number>,
): string {
  const byReason = new Map<string, typeof failed>();
  for (const each of failed) {
    const reason = each.detail ?? "The ticket could not be changed.";
    byReason.set(reason, [...(byReason.get(reason) ?? []), each]);
  }
  return [...byReason]
    .map(([reason, tickets]) => {
      const named = tickets.slice(0, MAX_NUMBERS).map(({ ticket_id }) => `#${numbers.get(ticket_id)}`);
      const more = tickets.length - named.length;
      return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}: ${reason}`;
    })
    .join(" ");
}
