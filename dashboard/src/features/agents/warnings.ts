import type { Schemas } from "../../api";
import { declaredOutputsOf, type WorkflowDocument } from "../../graph/document";
import type { ValidationIssue } from "../../values/validation";

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

/** Outputs of Coder tasks that their code no longer declares, so that a run of the latest code would fail. */
export const codeWarningsOf = (
  document: WorkflowDocument,
  artifacts: readonly Schemas["CodeArtifact"][],
): ValidationIssue[] =>
  document.tasks.flatMap((task, index) => {
    const code = artifacts.find(({ id }) => id === task.code_artifact_id);
    if (!code || code.outputs.length === 0) {
      return [];
    }
    const declared = new Set(code.outputs.map(({ name }) => name));
    return declaredOutputsOf(task).flatMap(({ name }, place) =>
      name && !declared.has(name)
        ? [
            {
              path: `/tasks/${index}/expected_output/${place}`,
              error: "Output of other code",
              detail: `The code of “${task.name || task.id}” does not return the output “${name}”. Update the outputs from the code.`,
            },
          ]
        : [],
    );
  });
