import { useState } from "react";
import { useFilters } from "./useFilters";

/** The time of a list's filter in the URL (see TimeFilter), as the API expects it. */
export function useTimeSpan(): { since: string | undefined; until: string | undefined } {
  const filters = useFilters();
  // A fixed start time keeps the cursors of the list valid.
  const [opened] = useState(Date.now);
  const span = filters.get("time");
  const hours = Number(span);
  const isCustom = span === "custom";
  return {
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
