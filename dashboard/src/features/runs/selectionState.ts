/** The state of a history entry of the list that selects these runs. */
export const selectionState = (selected: string[]) => ({ selected });

/** The runs that the state of a history entry selects. */
export function selectedIn(state: unknown): string[] {
  const selected: unknown = (state as { selected?: unknown } | null)?.selected;
  return Array.isArray(selected) ? selected.filter((each) => typeof each === "string") : [];
}
