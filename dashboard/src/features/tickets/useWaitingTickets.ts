import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";
import { filterQuery, readFilters } from "./ticketFilters";

/** The open tickets in the first tab of the inbox and the unclaimed ones in the second, without those of test runs. */
export const useWaitingTickets = (orgId: string, enabled = true) => ({
  mine: useCount(orgId, "", enabled),
  team: useCount(orgId, "assignee=team", enabled),
});

/** Those of them that are overdue. */
export const useOverdueTickets = (orgId: string) => ({
  mine: useCount(orgId, "overdue=true", true),
  team: useCount(orgId, "assignee=team&overdue=true", true),
});

/** @param filters as in the URL of the inbox */
function useCount(orgId: string, filters: string, enabled: boolean): number {
  const query = { ...filterQuery(readFilters(new URLSearchParams(filters))), test_run: false };
  const { data } = useQuery({
    queryKey: ["organization", orgId, "tickets", "count", query],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/tickets/count", { params: { path: { orgId }, query } }),
      ),
    refetchInterval: 15_000,
    enabled,
  });
  return data?.count ?? 0;
}
