import { diffArrays } from "diff";

export interface Line {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Comparing takes time with the square of the edits; beyond this number, the whole text counts as replaced. */
const MAX_EDITS = 4_000;

export function diffLines(before: string, after: string): Line[] {
  const removed = before.split("\n");
  const added = after.split("\n");
  const changes = diffArrays(removed, added, { maxEditLength: MAX_EDITS }) ?? [
    { value: removed, removed: true, added: false },
    { value: added, removed: false, added: true },
  ];
  return changes.flatMap((change) => {
    const kind = change.added ? "added" : change.removed ? "removed" : "same";
    return change.value.map((text) => ({ kind, text }) as const);
  });
}
