import type { Icon } from "@tabler/icons-react";
import { SecondaryButton } from "./variants";
import { EmptyState } from "./EmptyState";

interface Props {
  icon: Icon;
  /** The plural noun for the rows of the list. */
  things: string;
  onClear: () => void;
}

/** Shown when filters exclude every row; one click clears them. */
export function NoMatches({ icon, things, onClear }: Props) {
  return (
    <EmptyState
      icon={icon}
      title={`No ${things} match these filters`}
      action={<SecondaryButton onClick={onClear}>Show all {things}</SecondaryButton>}
    >
      Try different filters, or clear them.
    </EmptyState>
  );
}
