import type { Schemas } from "../../api";

type Ticket = Pick<Schemas["TicketSummary"], "id" | "assignments" | "claimed_by">;

interface Reassignment {
  to: Schemas["TicketAssignee"];
  ticketIds: string[];
}

/**
 * The reassignments that restore the assignees of tickets, one for each former assignee. Null if they could not restore
 * them exactly: a reassignment sets a single assignee and removes the claim.
 */
export function reassignmentsBack(before: readonly Ticket[]): Reassignment[] | null {
  const back = new Map<string, Reassignment>();
  for (const { id, assignments, claimed_by } of before) {
    const [only, ...more] = assignments;
    if (!only || more.length > 0 || claimed_by !== null) {
      return null;
    }
    const key = `${only.assignment_type} ${only.assignee_id}`;
    const { ticketIds } = back.get(key) ?? { ticketIds: [] };
    back.set(key, { to: only, ticketIds: [...ticketIds, id] });
  }
  return [...back.values()];
}
