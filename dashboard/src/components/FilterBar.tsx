import { Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { SecondaryButton, QuietButton } from "./variants";
import classes from "./filterBar.module.css";
import { useFilters } from "./useFilters";

interface Props {
  /** The search field, which is always shown. */
  search: ReactNode;
  /** The number of other filters that are set. */
  used: number;
  /** Whether the fields have labels above them. */
  labelled?: boolean;
  /** Whether a button clears all filters, the search included. */
  clearable?: boolean;
  /** Shown after the filters, on phones too. */
  after?: ReactNode;
  /** The other filters. */
  children: ReactNode;
}

/** The filters of a list: one line, and on phones behind a button. */
export function FilterBar({ search, used, labelled = false, clearable = false, after, children }: Props) {
  const filters = useFilters();
  const [open, { toggle }] = useDisclosure(false);
  return (
    <div
      className={`${classes.filters} filters`}
      data-open={open || undefined}
      data-labelled={labelled || undefined}
    >
      <Group className={classes.search}>
        {search}
        <SecondaryButton
          className={classes.toggle}
          leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
          aria-expanded={open}
          onClick={toggle}
        >
          {used > 0 ? `Filters (${used})` : "Filters"}
        </SecondaryButton>
      </Group>
      {children}
      {clearable && filters.any && (
        <QuietButton px="xs" onClick={filters.clear}>
          Clear filters
        </QuietButton>
      )}
      {after && <div className={classes.after}>{after}</div>}
    </div>
  );
}

/** The number of values that are set. */
export const countSet = (values: unknown[]) => values.filter(Boolean).length;
