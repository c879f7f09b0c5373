import { Text } from "@mantine/core";
import { useMemo } from "react";
import { diffLines, foldUnchanged, type DiffLine } from "./lineDiff";
import classes from "./textDiff.module.css";

const SIGNS = { same: "  ", removed: "− ", added: "+ " };

interface Props {
  /** Null for a text that does not exist. */
  before: string | null;
  after: string | null;
  label: string;
}

/** The difference of two texts: unchanged parts are folded, and the words that changed are marked. Import it lazily. */
export default function TextDiff({ before, after, label }: Props) {
  const lines = useMemo(() => foldUnchanged(diffLines(before, after)), [before, after]);
  if (lines.every(({ kind }) => kind === "folded")) {
    return <Text size="sm">No differences.</Text>;
  }
  return (
    <pre className={classes.diff} tabIndex={0} aria-label={label}>
      {lines.map((line, index) => (
        // Lines have no IDs.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} data-kind={line.kind}>
          {line.kind === "folded" ? (
            `⋯ ${line.count} unchanged ${line.count === 1 ? "line" : "lines"}`
          ) : (
            <LineText line={line} />
          )}
        </div>
      ))}
    </pre>
  );
}

function LineText({ line: { kind, parts } }: { line: DiffLine }) {
  return (
    <>
      {SIGNS[kind]}
      {parts.map(({ text, changed }, index) =>
        // Parts have no IDs.
        // oxlint-disable-next-line react/no-array-index-key
        changed && text !== "" ? <mark key={index}>{text}</mark> : text,
      )}
    </>
  );
}
