import { useTicketPages, useTicketTotal } from "../../api";
import { filterQuery, type TicketFilters } from "./ticketFilters";

/** The tickets with these filters; the first page is polled. */
export function useTicketList(filters: TicketFilters, { poll }: { poll: boolean }) {
  const query = { ...filterQuery(filters), sort: filters.sort };
  return useTicketPages(query, poll);
}

/** The number of tickets with these filters, such as "23" or "10000+"; empty until it is known. */
export function useTicketCount(filters: TicketFilters) {
  const total = useTicketTotal(filterQuery(filters));
  return total ? `${total.count}${total.or_more ? "+" : ""}` : "";
}
