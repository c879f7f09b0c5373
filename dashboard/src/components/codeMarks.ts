import { ensureSyntaxTree } from "@codemirror/language";
import { linter, type Diagnostic } from "@codemirror/lint";
import { StateEffect } from "@codemirror/state";
import type { EditorView } from "codemirror";
import { undeclaredInputs, type CodeLanguage, type DeclaredNames } from "./declaredNames";

/** An error that running the code has found. */
export interface RunError {
  /** Counted from 1. */
  line: number;
  message: string;
}

const MAX_MARKS = 20;
const PARSE_LIMIT_MS = 200;

/** Marks what the editor's parser cannot read, once per line. Saving checks the code with the real interpreter. */
export function syntaxErrors(view: EditorView): Diagnostic[] {
  const { doc } = view.state;
  const found = new Map<number, Diagnostic>();
  ensureSyntaxTree(view.state, doc.length, PARSE_LIMIT_MS)?.iterate({
    enter: (node) => {
      const line = doc.lineAt(node.from).number;
      if (node.type.isError && found.size < MAX_MARKS && !found.has(line)) {
        found.set(line, { from: node.from, to: node.to, severity: "error", message: "Syntax error" });
      }
    },
  });
  return [...found.values()];
}

/** The declared names or the error of the last run have changed. */
export const marksChanged = StateEffect.define();

/** Marks the line where the code failed, and inputs that it does not declare. */
export const marksOf = (
  language: CodeLanguage,
  latest: () => { names?: DeclaredNames | undefined; error?: RunError | null | undefined },
) =>
  linter(
    ({ state }) => {
      const { names, error } = latest();
      const undeclared = names ? undeclaredInputs(state, language, names) : [];
      const marks = undeclared.slice(0, MAX_MARKS).map(({ from, to, name }): Diagnostic => ({
        from,
        to,
        severity: "warning",
        message: `No input is named “${name}”.`,
      }));
      if (error && error.line <= state.doc.lines) {
        const { from, to } = state.doc.line(error.line);
        marks.push({ from, to, severity: "error", message: error.message });
      }
      return marks;
    },
    {
      needsRefresh: ({ transactions }) =>
        transactions.some(({ effects }) => effects.some((effect) => effect.is(marksChanged))),
    },
  );
