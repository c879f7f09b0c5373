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

/** A run of unchanged lines that is not shown. */
export interface FoldedLines {
  kind: "folded";
  count: number;
}

/** Folds unchanged lines except the nearest ones around a change. */
export function foldUnchanged(lines: Line[], context = 2): (Line | FoldedLines)[] {
  const isShown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some((each) => each.kind !== "same"),
  );
  const shown: (Line | FoldedLines)[] = [];
  lines.forEach((line, index) => {
    const last = shown.at(-1);
    if (isShown[index]) {
      shown.push(line);
    } else if (last?.kind === "folded") {
      last.count++;
    } else {
      shown.push({ kind: "folded", count: 1 });
    }
  });
  return shown;
}
