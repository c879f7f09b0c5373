import { ticketChanged, useOrganizationId, type Schemas } from "../../api";
import { withdrawUndo } from "../../components/undoNotification";

/** Names the offer to undo the claim of a ticket. */
export const claimUndo = (ticketId: string) => `claim/${ticketId}`;

/** Caches a changed ticket and refetches the lists and counts that contain it. */
export function useTicketRefresh() {
  const orgId = useOrganizationId();
  return (changed: Schemas["TicketDetails"]) => {
    withdrawUndo(claimUndo(changed.id));
    return ticketChanged(orgId, changed);
  };
}
