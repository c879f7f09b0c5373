import { useState } from "react";
import { useFilters } from "../../components/useFilters";

export const SPANS = [
  { value: "24", label: "Last 24 hours" },
  { value: "168", label: "Last 7 days" },
  { value: "720", label: "Last 30 days" },
  { value: "custom", label: "Custom…" },
];

/** The filters in the URL, as the API expects them. */
export function useAuditQuery() {
  const filters = useFilters();
  // A fixed start time keeps the cursors of the list valid.
  const [opened] = useState(Date.now);
  const span = filters.get("time");
  const hours = Number(span);
  const isCustom = span === "custom";
  return {
    user_id: filters.get("person"),
    action: filters.get("action"),
    target: filters.get("target"),
    since: isCustom
      ? toIsoTime(filters.get("from"))
      : hours > 0
        ? new Date(opened - hours * 3_600_000).toISOString()
        : undefined,
    until: isCustom ? toIsoTime(filters.get("until")) : undefined,
  };
}

/** Converts the value of a date and time field to the format of the API. */
function toIsoTime(local: string | undefined): string | undefined {
  const at = local ? new Date(local) : undefined;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}
