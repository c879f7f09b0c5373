import type { Schemas } from "../../api/client";
import { useActorName } from "../../api/organization";
import { useAssigneeNames } from "./useAssigneeNames";
import { isOpen } from "./ticketState";

/** Says who ended a ticket, who has claimed it, or to whom it is assigned: "Completed by Jonas". */
export function useTicketPeople(orgId: string): (ticket: Schemas["TicketSummary"]) => string {
  const nameOf = useActorName();
  const assignees = useAssigneeNames(orgId);
  return (ticket) => {
    const { claimed_by, resolved_by, assignments } = ticket;
    if (!isOpen(ticket)) {
      // The badge beside it says how the ticket ended.
      return resolved_by ? `By ${nameOf(resolved_by)}` : "";
    }
    return claimed_by ? `Claimed by ${nameOf(claimed_by)}` : `Assigned to ${assignees(assignments)}`;
  };
}
