import { useState } from "react";
import { useRunPages } from "../../api";
import { filterQuery, type RunFilters } from "./runFilters";

/** The runs with these filters, newest first, and the query that lists them; the first page is polled. */
export function useRunList(filters: RunFilters, { poll }: { poll: boolean }) {
  // A fixed time keeps the cursors of the list valid.
  const [opened] = useState(Date.now);
  const query = filterQuery(filters, opened);
  return { pages: useRunPages(query, poll), query };
}
