import { filterQuery, readFilters } from "./ticketFilters";
import { useCount } from "./useTicketList";

/** The open tickets in the first tab of the inbox and the unclaimed ones in the second, as the tabs count them. */
export const useWaitingTickets = (orgId: string, enabled = true) => ({
  mine: useCountOf(orgId, "", enabled),
  team: useCountOf(orgId, "assignee=team", enabled),
});

/** Those of them that are overdue. */
export const useOverdueTickets = (orgId: string) => ({
  mine: useCountOf(orgId, "overdue=true", true),
  team: useCountOf(orgId, "assignee=team&overdue=true", true),
});

/** @param filters as in the URL of the inbox */
const useCountOf = (orgId: string, filters: string, enabled: boolean) =>
  useCount(orgId, filterQuery(readFilters(new URLSearchParams(filters))), enabled)?.count ?? 0;
