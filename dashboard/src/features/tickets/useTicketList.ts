import { useQuery } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { usePagedQuery } from "../../api/pagination";
import { filterQuery, type TicketFilters, type TicketQuery } from "./ticketFilters";

const PAGE_SIZE = 100;
const REFRESH_MS = 15_000;

/** The tickets with these filters; the first page is polled. */
export function useTicketList(orgId: string, filters: TicketFilters, { poll }: { poll: boolean }) {
  const query = { ...filterQuery(filters), sort: filters.sort, limit: PAGE_SIZE };
  return usePagedQuery<Schemas["TicketSummary"]>(
    ["organization", orgId, "tickets", "list", query],
    (after) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/tickets", {
          params: { path: { orgId }, query: { ...query, after } },
        }),
      ),
    { idOf: ({ id }) => id, refetchInterval: poll ? REFRESH_MS : undefined, keepPrevious: poll },
  );
}

/** The number of tickets with these filters, such as "23" or "10000+"; empty until it is known. */
export const useTicketCount = (orgId: string, filters: TicketFilters) =>
  countText(useCount(orgId, filterQuery(filters)));

const countText = (data: Schemas["TicketCount"] | undefined) =>
  data ? `${data.count}${data.or_more ? "+" : ""}` : "";

export function useCount(orgId: string, query: TicketQuery, enabled = true) {
  const { data } = useQuery({
    queryKey: ["organization", orgId, "tickets", "count", query],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/tickets/count", { params: { path: { orgId }, query } }),
      ),
    refetchInterval: REFRESH_MS,
    enabled,
  });
  return data;
}
