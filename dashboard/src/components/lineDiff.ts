import { diffArrays } from "diff";
import { wordDiff, type DiffPart } from "./wordDiff";

export interface DiffLine {
  kind: "same" | "removed" | "added";
  /** The text of the line, split at the words that changed. */
  parts: DiffPart[];
}

/** Unchanged lines that are not shown. */
export interface FoldedLines {
  kind: "folded";
  count: number;
}

/** Comparing takes time with the square of the edits; beyond this number, the whole text counts as replaced. */
const MAX_EDITS = 4_000;
/** The words of longer blocks are not compared. */
const MAX_WORD_LINES = 300;
/** Texts that share less than this part of their letters are different texts, in which marked words would only distract. */
const MIN_SHARED = 0.3;

/** The lines of two texts. Null stands for a text that does not exist. */
export function diffLines(before: string | null, after: string | null): DiffLine[] {
  const removed = linesOf(before);
  const added = linesOf(after);
  const changes = diffArrays(removed, added, { maxEditLength: MAX_EDITS }) ?? [
    { value: removed, removed: true, added: false },
    { value: added, removed: false, added: true },
  ];
  return changes.flatMap((change, index): DiffLine[] => {
    if (!change.added && !change.removed) {
      return plain("same", change.value);
    }
    if (change.removed) {
      const next = changes[index + 1];
      return next?.added ? replaced(change.value, next.value) : plain("removed", change.value);
    }
    return changes[index - 1]?.removed ? [] : plain("added", change.value);
  });
}

/** A line break at the end begins no line. */
const linesOf = (text: string | null) => text?.replace(/\n$/, "").split("\n") ?? [];

const plain = (kind: DiffLine["kind"], texts: readonly string[]): DiffLine[] =>
  texts.map((text) => ({ kind, parts: [{ text, changed: false }] }));

/** Lines that take the place of others, with the words that only one side has. */
function replaced(removed: readonly string[], added: readonly string[]): DiffLine[] {
  const sides = [removed.join("\n"), added.join("\n")] as const;
  if (removed.length + added.length <= MAX_WORD_LINES) {
    const [older, newer] = wordDiff(...sides);
    const shared = lettersOf(older.filter(({ changed }) => !changed));
    if (shared >= MIN_SHARED * Math.min(lettersOf(older), lettersOf(newer))) {
      return [
        ...inLines(older).map((parts): DiffLine => ({ kind: "removed", parts })),
        ...inLines(newer).map((parts): DiffLine => ({ kind: "added", parts })),
      ];
    }
  }
  return [...plain("removed", removed), ...plain("added", added)];
}

const lettersOf = (parts: readonly DiffPart[]) =>
  parts.reduce((sum, { text }) => sum + text.replaceAll(/\s/g, "").length, 0);

function inLines(parts: readonly DiffPart[]): DiffPart[][] {
  const lines: DiffPart[][] = [[]];
  for (const { text, changed } of parts) {
    const [first = "", ...more] = text.split("\n");
    lines.at(-1)!.push({ text: first, changed });
    lines.push(...more.map((line) => [{ text: line, changed }]));
  }
  return lines;
}

/** Folds unchanged lines except the nearest ones around a change. */
export function foldUnchanged(lines: DiffLine[], context = 2): (DiffLine | FoldedLines)[] {
  const isShown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some((each) => each.kind !== "same"),
  );
  const shown: (DiffLine | FoldedLines)[] = [];
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
