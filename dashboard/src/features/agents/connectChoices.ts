import { withCondition } from "../../graph/controlFlow";
import {
  accepts,
  closesCycle,
  connectionTo,
  edgesOf,
  inputsOf,
  isUnconnected,
  outputsOf,
  type InputParameter,
  type Task,
  type WorkflowDocument,
} from "../../graph/document";
import { connect, depend, withInputFor } from "../../graph/documentEdits";
import { branchesOf, ordered } from "./branching";

/** A way to connect a task to one that runs after it. */
export interface ConnectChoice {
  to: Task;
  label: string;
  /** The connected document, or why that is impossible. */
  apply: () => WorkflowDocument | string;
}

/** The ways to connect a task to the others: their free inputs, new inputs, branches, and the order alone. */
export function connectChoices(document: WorkflowDocument, from: Task): ConnectChoice[] {
  return document.tasks
    .filter((to) => to !== from && !closesCycle(document, from.id, to.id))
    .flatMap((to) => [
      ...valueChoices(document, from, to),
      ...branchesOf(from).map(({ label, condition }) => ({
        to,
        label,
        apply: () => withCondition(ordered(document, from.id, to.id), to.id, condition),
      })),
      ...(edgesOf(document).some(([one, other]) => one === from.id && other === to.id)
        ? []
        : [
            {
              to,
              label: "Run after, without a value",
              apply: () => depend(document, { from: from.id, to: to.id }),
            },
          ]),
    ]);
}

/** The tasks for which there is no choice, with the reason. */
export function unconnectable(
  document: WorkflowDocument,
  from: Task,
  choices: readonly ConnectChoice[],
): { to: Task; reason: string }[] {
  const connectable = new Set(choices.map(({ to }) => to));
  return document.tasks
    .filter((to) => to !== from && !connectable.has(to))
    .map((to) => ({
      to,
      reason: closesCycle(document, from.id, to.id)
        ? "Already runs before this task"
        : outputsOf(from).length === 0
          ? "Already runs after this task, which has no outputs to pass"
          : "Already runs after this task, and no free input takes one of its outputs",
    }));
}

/** Whether nothing gives the input its value yet. */
function isFree(document: WorkflowDocument, task: Task, input: InputParameter): boolean {
  const isEmpty = input.source === "task_config" && (input.value === undefined || input.value === null);
  return (
    isUnconnected(document, task, input) ||
    (isEmpty && input.data_source !== "DATA_LAKE" && connectionTo(document, task, input) === undefined)
  );
}

/** Whether a tool or code declares the inputs of a task, and would refuse another one. */
const hasFixedInputs = (task: Task) =>
  task.kind === "App" || (task.kind === "Coder" && inputsOf(task).length > 0);

const hasFixedValue = (input: InputParameter) =>
  input.source === "task_config" && input.data_source !== "DATA_LAKE";

function valueChoices(document: WorkflowDocument, from: Task, to: Task): ConnectChoice[] {
  return outputsOf(from).flatMap((output): ConnectChoice[] => {
    const fitting = inputsOf(to).filter((input) => accepts(from, output, input));
    const free = fitting.filter((input) => isFree(document, to, input));
    const fixed = fitting.filter((input) => !free.includes(input) && hasFixedValue(input));
    const choice = (input: InputParameter, label: string): ConnectChoice => ({
      to,
      label,
      apply: () =>
        connect(document, {
          from: { task: from.id, output: output.name },
          to: { task: to.id, input: input.name },
        }),
    });
    return [
      ...free.map((input) => choice(input, `Pass ${output.name} to the input ${input.name}`)),
      ...fixed.map((input) => choice(input, `Replace the fixed value of ${input.name} with ${output.name}`)),
      ...(hasFixedInputs(to)
        ? []
        : [
            {
              to,
              label: `Pass ${output.name} as a new input`,
              apply: () => withInputFor(document, { source: from, output, target: to }),
            },
          ]),
    ];
  });
}
