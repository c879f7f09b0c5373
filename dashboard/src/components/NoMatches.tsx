import type { Icon } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import { EmptyState } from "./EmptyState";
import { useFilters } from "./useFilters";
import { SecondaryButton } from "./variants";

interface Props {
  icon: Icon;
  /** The plural noun for the rows of the list. */
  things: string;
}

/** Shown when filters exclude every row; one click clears them. */
export function NoMatches({ icon, things }: Props) {
  const { clear } = useFilters();
  return (
    <EmptyState
      icon={icon}
      title={`No ${things} match these filters`}
      action={<SecondaryButton onClick={clear}>Show all {things}</SecondaryButton>}
    >
      Try different filters, or clear them.
    </EmptyState>
  );
}

interface ListProps extends Props, ComponentProps<typeof EmptyState> {
  /** Whether filters may exclude rows; by default if the URL has any. */
  filtered?: boolean;
}

/** Instead of a list without rows: says that none match, or what would be listed. */
export function EmptyList({ things, filtered, ...state }: ListProps) {
  const { any } = useFilters();
  return (filtered ?? any) ? <NoMatches icon={state.icon} things={things} /> : <EmptyState {...state} />;
}
