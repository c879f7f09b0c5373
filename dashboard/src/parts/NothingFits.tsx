import { Button } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import { EmptyState } from "./EmptyState";

interface Props {
  icon: Icon;
  /** What the list holds, in the plural. */
  things: string;
  onClear: () => void;
}

/** Instead of a list that a filter has left without rows: there may be others, and one click shows them. */
export function NothingFits({ icon, things, onClear }: Props) {
  return (
    <EmptyState
      icon={icon}
      title={`No ${things} fit the filter`}
      action={
        <Button variant="default" onClick={onClear}>
          Show all {things}
        </Button>
      }
    >
      Choose something else above, or take the filter away.
    </EmptyState>
  );
}
