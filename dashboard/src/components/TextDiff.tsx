import { diffLines } from "diff";
import { useMemo } from "react";
import classes from "./textDiff.module.css";

/** Unchanged lines shown around a change. */
const CONTEXT = 3;
/** Beyond this number of edits, the whole text counts as replaced. */
const MAX_EDITS = 4_000;

const SIGNS = { same: "  ", removed: "− ", added: "+ ", folded: "  " };

interface Line {
  kind: keyof typeof SIGNS;
  text: string;
}

function linesOf(before: string, after: string): Line[] {
  const changes = diffLines(before, after, { maxEditLength: MAX_EDITS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  return changes.flatMap(({ value, added, removed }, index) => {
    const texts = value.replace(/\n$/, "").split("\n");
    const kind = added ? "added" : removed ? "removed" : "same";
    const head = index === 0 ? 0 : CONTEXT;
    const tail = index === changes.length - 1 ? 0 : CONTEXT;
    const hidden = texts.length - head - tail;
    if (kind !== "same" || hidden < 2) {
      return texts.map((text): Line => ({ kind, text }));
    }
    return [
      ...texts.slice(0, head).map((text): Line => ({ kind, text })),
      { kind: "folded", text: `⋯ ${hidden} unchanged lines` },
      ...texts.slice(texts.length - tail).map((text): Line => ({ kind, text })),
    ];
  });
}

interface Props {
  before: string;
  after: string;
  label: string;
}

/** The difference of two texts, with unchanged parts folded. Import it lazily. */
export default function TextDiff({ before, after, label }: Props) {
  const lines = useMemo(() => linesOf(before, after), [before, after]);
  return (
    <pre className={classes.diff} tabIndex={0} aria-label={label}>
      {lines.map((line, index) => (
        // Lines have no IDs.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} data-kind={line.kind}>
          {SIGNS[line.kind]}
          {line.text}
        </div>
      ))}
    </pre>
  );
}
