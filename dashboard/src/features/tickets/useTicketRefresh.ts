import type { Schemas } from "../../api/client";
import { queryClient } from "../../queryClient";

/** Caches a changed ticket and refetches the lists and counts that contain it. */
export function useTicketRefresh(orgId: string, ticketId: string) {
  return async (changed: Schemas["TicketDetails"]) => {
    const key = ["organization", orgId, "tickets", "one", ticketId];
    // A pending response may be older.
    await queryClient.cancelQueries({ queryKey: key });
    queryClient.setQueryData(key, changed);
    void queryClient.invalidateQueries({ queryKey: ["organization", orgId, "tickets", "list"] });
    void queryClient.invalidateQueries({ queryKey: ["organization", orgId, "tickets", "count"] });
  };
}
