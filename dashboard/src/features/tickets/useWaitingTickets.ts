import { useTicketTotal } from "../../api";
import { filterQuery, readFilters } from "./ticketFilters";

/** The open tickets in the first tab of the inbox and the unclaimed ones in the second, as the tabs count them. */
export const useWaitingTickets = (enabled = true) => ({
  mine: useCountOf("", enabled),
  team: useCountOf("assignee=team", enabled),
});

/** Those of them that are overdue. */
export const useOverdueTickets = () => ({
  mine: useCountOf("overdue=true", true),
  team: useCountOf("assignee=team&overdue=true", true),
});

/** @param filters as in the URL of the inbox */
const useCountOf = (filters: string, enabled: boolean) =>
  useTicketTotal(filterQuery(readFilters(new URLSearchParams(filters))), enabled)?.count ?? 0;
