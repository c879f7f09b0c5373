import { Checkbox, SegmentedControl } from "@mantine/core";
import type { useFilters } from "../../components/useFilters";

interface Props {
  filters: ReturnType<typeof useFilters>;
  size?: "xs";
}

/** Whether only conversations of this person are listed. */
export function MineFilter({ filters, size }: Props) {
  return (
    <SegmentedControl
      aria-label="Started by"
      size={size}
      data={[
        { value: "all", label: "All" },
        { value: "mine", label: "Mine" },
      ]}
      value={filters.get("mine") === "true" ? "mine" : "all"}
      onChange={(value) => filters.set("mine", value === "mine" ? "true" : null)}
    />
  );
}

export function UnreadFilter({ filters, size }: Props) {
  return (
    <Checkbox
      label="Unread"
      size={size}
      flex="none"
      checked={filters.get("unread") === "true"}
      onChange={(event) => filters.set("unread", event.currentTarget.checked ? "true" : null)}
    />
  );
}
