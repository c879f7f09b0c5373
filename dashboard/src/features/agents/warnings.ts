import type { WorkflowDocument } from "../../graph/document";
import type { ValidationIssue } from "./validation";

/** A placeholder as other products insert values, such as {{tasks.read.result}}. */
const PLACEHOLDER = /\{\{\s*[\w$][\w$.[\]'"-]*\s*\}\}/;

/** Probable mistakes, which do not prevent publishing. */
export const warningsOf = (document: WorkflowDocument): ValidationIssue[] =>
  document.tasks.flatMap(({ id, name, instructions }, index) => {
    const [placeholder] = PLACEHOLDER.exec(instructions) ?? [];
    return placeholder === undefined
      ? []
      : [
          {
            path: `/tasks/${index}/instructions`,
            error: "Placeholder in instructions",
            detail: `The instructions of “${name || id}” keep ${placeholder} as text. ${remedyFor(placeholder)}`,
          },
        ];
  });

const remedyFor = (placeholder: string): string =>
  /\bhuman_msg\b/.test(placeholder)
    ? "Values are not inserted into instructions: add an input named human_msg, which gets the message of the run."
    : "Values are not inserted into instructions: connect an input instead.";
