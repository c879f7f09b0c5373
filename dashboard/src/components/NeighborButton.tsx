import { Button } from "@mantine/core";
import { Link } from "react-router";

/** Opens the item before or after the open one in the list that the user came from; disabled at its ends. */
export function NeighborButton({ label, to }: { label: string; to: string | undefined }) {
  return to === undefined ? (
    <Button size="xs" variant="default" disabled>
      {label}
    </Button>
  ) : (
    <Button size="xs" variant="default" component={Link} to={to}>
      {label}
    </Button>
  );
}
