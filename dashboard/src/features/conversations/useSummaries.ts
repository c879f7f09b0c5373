import { useEffect } from "react";
import { useSummaryPages, type Schemas } from "../../api";
import type { useFilters } from "../../components/useFilters";

export const RUN_STATUSES = [
  "RUNNING",
  "PAUSED",
  "COMPLETED",
  "FAILED",
  "CANCELLED",
  "TERMINATED",
] satisfies Schemas["InstanceStatus"][];

/** The filters by their names in the URL. */
export const FILTER_NAMES = ["agent", "team", "status", "unread", "mine", "q"];

/** A page of a search may be empty although older conversations match. So many pages are searched by themselves. */
const SEARCHED_PAGES = 20;

/** The filtered conversations, and whether an unfinished search has not found any yet. */
export function useSummaries(filters: ReturnType<typeof useFilters>) {
  const workflow_id = filters.get("agent");
  const team_id = filters.get("team") === undefined ? undefined : Number(filters.get("team"));
  const run_status = RUN_STATUSES.find((each) => each === filters.get("status"));
  const unread = filters.get("unread") === "true" || undefined;
  const mine = filters.get("mine") === "true" || undefined;
  const q = filters.get("q");
  const pages = useSummaryPages({ workflow_id, team_id, run_status, unread, mine, q });
  const { data, items, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const searching = items.length === 0 && hasNextPage && (data?.pages.length ?? 0) < SEARCHED_PAGES;
  useEffect(() => {
    if (searching && !isFetchingNextPage) {
      void fetchNextPage();
    }
  }, [searching, isFetchingNextPage, fetchNextPage]);
  return { pages, searching };
}
