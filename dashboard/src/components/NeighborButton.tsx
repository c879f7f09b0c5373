import { Link } from "react-router";
import { SmallButton } from "./variants";

/** Opens the item before or after the open one in the list that the user came from; disabled at its ends. */
export function NeighborButton({ label, to }: { label: string; to: string | undefined }) {
  return to === undefined ? (
    <SmallButton disabled>{label}</SmallButton>
  ) : (
    <SmallButton component={Link} to={to}>
      {label}
    </SmallButton>
  );
}
