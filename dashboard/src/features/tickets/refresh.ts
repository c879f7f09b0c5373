import type { Schemas } from "../../api/client";
import { queryClient } from "../../queryClient";

/** Shows a changed ticket at once, and asks anew for the lists and counts that it stands in. */
export function useTicketRefresh(orgId: string, ticketId: string) {
  return async (changed: Schemas["TicketDetails"]) => {
    const key = ["organization", orgId, "tickets", "one", ticketId];
    // An answer that is still under way may be older.
    await queryClient.cancelQueries({ queryKey: key });
    queryClient.setQueryData(key, changed);
    void queryClient.invalidateQueries({ queryKey: ["organization", orgId, "tickets", "list"] });
    void queryClient.invalidateQueries({ queryKey: ["organization", orgId, "tickets", "count"] });
  };
}
