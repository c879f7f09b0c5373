import { useFilters } from "../../components/useFilters";
import { useTimeSpan } from "../../components/useTimeSpan";

/** Whether actions that only use something are shown, too: all of them, or the chosen one. */
export const showsEverything = (filters: ReturnType<typeof useFilters>) =>
  filters.get("show") === "all" || filters.get("action") !== undefined;

/** The filters in the URL, as the API expects them. */
export function useAuditQuery() {
  const filters = useFilters();
  const span = useTimeSpan();
  return {
    user_id: filters.get("person"),
    action: filters.get("action"),
    target: filters.get("target"),
    changes_only: showsEverything(filters) ? undefined : true,
    ...span,
  };
}
