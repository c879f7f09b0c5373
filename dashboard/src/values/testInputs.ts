import type { RawValue, ValueField } from "./valueFields";
import { isSystemValue, PREVIOUS, untilOf } from "../graph/controlFlow";
import { inputsOf, type InputParameter, type Task, type WorkflowDocument } from "../graph/document";

/** The inputs of a test run as they are typed. */
export interface TestInputs {
  message: string;
  files: string[];
  values: Record<string, RawValue>;
}

/** The name under which a browser keeps the inputs of test runs of an agent or of one of its tasks. */
export const keptInputs = (workflowId: string, taskId?: string): string =>
  `test-run/${workflowId}${taskId === undefined ? "" : `/${taskId}`}`;

export const NO_INPUTS: TestInputs = { message: "", files: [], values: {} };

/** The inputs that a test run of this task alone needs: those that other tasks or people provide. */
export function suppliedInputsOf(document: WorkflowDocument, task: Task): ValueField[] {
  const connected = (document.connections ?? []).filter((each) => each.to.task === task.id);
  const isConnected = (name: string) => connected.some((each) => each.to.input === name);
  return inputsOf(task)
    .filter(
      (input) =>
        isConnected(input.name) ||
        (input.data_source !== "DATA_LAKE" &&
          input.source !== "task_config" &&
          !(input.source === "system_generated" && isSupplied(task, input.name))),
    )
    .map(asField);
}

/** Whether the service supplies a value by the name of the input. */
const isSupplied = (task: Task, name: string) =>
  isSystemValue(name) || (untilOf(task) !== null && name.startsWith(PREVIOUS));

/** Whether the task reads the message or the files of the run. */
export function readsMessage(document: WorkflowDocument, task: Task): boolean {
  const supplied = suppliedInputsOf(document, task).map((each) => each.name);
  return (
    task.kind === "AI" ||
    inputsOf(task).some(
      (each) => ["human_msg", "file_urls"].includes(each.name) && !supplied.includes(each.name),
    )
  );
}

/** Whether a task of the agent gets the message that starts a run outside of conversations. */
export const usesMessage = ({ tasks, connections }: WorkflowDocument): boolean =>
  tasks.some(
    (task) =>
      (typeof task.when === "string" && task.when.includes("human_msg")) ||
      inputsOf(task).some(
        ({ name, type, source }) =>
          // The message fills a text that the start of the run lacks.
          (source === "human_input" && type === "STRING") ||
          (source === "system_generated" &&
            name === "human_msg" &&
            !(connections ?? []).some(({ to }) => to.task === task.id && to.input === name)),
      ),
  );

const asField = (input: InputParameter): ValueField => ({ ...input, required: input.required ?? false });

/** The required fields that a test run has no value for: the message takes the place of a single text. */
export function missingFields(fields: ValueField[], values: Record<string, unknown>, message: string) {
  const missing = fields.filter(({ name, required }) => required && !(name in values));
  const [only] = missing;
  const isMessage = missing.length === 1 && only?.type === "STRING" && message.trim() !== "";
  return isMessage ? [] : missing;
}

/** Formats the values of a run for the fields of a form. */
export function asTyped(values: Record<string, unknown>): Record<string, RawValue> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [
        name,
        typeof value === "boolean" || typeof value === "string" ? value : JSON.stringify(value, null, 2),
      ]),
  );
}

/** Whether a text input probably takes the address of a file. */
export const takesFile = ({ type, name, description }: ValueField): boolean =>
  type === "STRING" &&
  /\b(file|image|photo|picture|pdf|scan|attachment|upload)s?\b/i.test(
    `${name.replaceAll("_", " ")} ${description}`,
  );
