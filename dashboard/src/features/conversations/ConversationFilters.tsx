import { SegmentedControl } from "@mantine/core";
import { CheckboxFilter } from "../../components/filters";
import { optionsOf } from "../../components/optionsOf";
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
      data={optionsOf({ all: "All", mine: "Mine" })}
      value={filters.get("mine") === "true" ? "mine" : "all"}
      onChange={(value) => filters.set("mine", value === "mine" ? "true" : null)}
    />
  );
}

export const UnreadFilter = ({ size }: Pick<Props, "size">) => (
  <CheckboxFilter param="unread" label="Unread" size={size} flex="none" />
);
