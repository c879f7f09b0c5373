import { useFilters } from "../../components/useFilters";
import { useTimeSpan } from "../../components/useTimeSpan";

/** The filters in the URL, as the API expects them. */
export function useAuditQuery() {
  const filters = useFilters();
  const span = useTimeSpan();
  return {
    user_id: filters.get("person"),
    action: filters.get("action"),
    target: filters.get("target"),
    ...span,
  };
}
