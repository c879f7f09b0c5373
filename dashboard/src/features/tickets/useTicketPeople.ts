import type { Schemas } from "../../api";
import { useActorName } from "../../components/actorNames";
import { useAssigneeNames } from "./useAssigneeNames";
import { isOpen } from "./ticketState";

/** Says who ended a ticket, who has claimed it, or to whom it is assigned: "Completed by Jonas". */
export function useTicketPeople(): (ticket: Schemas["TicketSummary"]) => string {
  const nameOf = useActorName();
  const assignees = useAssigneeNames();
  return (ticket) => {
    const { claimed_by, resolved_by, assignments } = ticket;
    if (!isOpen(ticket)) {
      // The badge beside it says how the ticket ended.
      return resolved_by ? `By ${nameOf(resolved_by)}` : "";
    }
    return claimed_by ? `Claimed by ${nameOf(claimed_by)}` : `Assigned to ${assignees(assignments)}`;
  };
}
