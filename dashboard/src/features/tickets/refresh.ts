import type { Schemas } from "../../api/client";
import { queryClient } from "../../queryClient";

/** Shows a changed ticket at once, and asks anew for the lists and counts that it stands in. */
export function useTicketRefresh(orgId: string, ticketId: string) {
  return (changed: Schemas["TicketDetails"]) => {
    queryClient.setQueryData(["organization", orgId, "tickets", "one", ticketId], changed);
    void queryClient.invalidateQueries({ queryKey: ["organization", orgId, "tickets", "list"] });
    void queryClient.invalidateQueries({ queryKey: ["organization", orgId, "tickets", "count"] });
  };
}
