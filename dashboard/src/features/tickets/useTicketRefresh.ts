import type { Schemas } from "../../api/client";
import { withdrawUndo } from "../../components/undoNotification";
import { queryClient } from "../../queryClient";

/** Refetches the lists and counts of tickets. */
export function refreshTicketLists(orgId: string) {
  return Promise.all(
    ["list", "count"].map((each) =>
      queryClient.invalidateQueries({ queryKey: ["organization", orgId, "tickets", each] }),
    ),
  );
}

/** Names the offer to undo the claim of a ticket. */
export const claimUndo = (ticketId: string) => `claim/${ticketId}`;

/** Caches a changed ticket and refetches the lists and counts that contain it. */
export function useTicketRefresh(orgId: string, ticketId: string) {
  return async (changed: Schemas["TicketDetails"]) => {
    const key = ["organization", orgId, "tickets", "one", ticketId];
    // A pending response may be older.
    await queryClient.cancelQueries({ queryKey: key });
    queryClient.setQueryData(key, changed);
    withdrawUndo(claimUndo(ticketId));
    void refreshTicketLists(orgId);
  };
}
