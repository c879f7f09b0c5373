import type { Schemas } from "../../api";
import { parseValues, type RawValue, type ValueField } from "../../values/valueFields";
import { edgesOf, inputsOf, type WorkflowDocument } from "../../graph/document";
import { userInputsOf } from "../../graph/userInputs";

type Failure = Pick<Schemas["WorkflowInstance"], "status" | "error">;

/** Whether a rerun failed at the task at which the earlier run failed, with the same error or another. */
export function failedAgain(run: Failure, earlier: Failure | undefined): "same" | "other" | undefined {
  if (run.status !== "FAILED" || earlier?.status !== "FAILED" || run.error?.task !== earlier.error?.task) {
    return undefined;
  }
  return run.error?.error === earlier.error?.error && run.error?.detail === earlier.error?.detail
    ? "same"
    : "other";
}

/** The versions that a rerun can use, each once; the published version is undefined until it is known. */
export function versionChoices(ofRun: number, published: number | null | undefined) {
  const isPublished = ofRun !== 0 && ofRun === published;
  const same = ofRun === 0 ? "Same draft" : `Version ${ofRun}${isPublished ? " (published)" : ""}`;
  return [
    { value: "same", label: same },
    ...(isPublished || !published ? [] : [{ value: "latest", label: `Version ${published} (published)` }]),
  ];
}

type Task = Pick<Schemas["TaskInstance"], "id" | "status" | "skip_reason">;

/** The tasks whose results a rerun of the same version reuses. The service decides likewise. */
export function reusedTasks(
  document: WorkflowDocument,
  tasks: readonly Task[],
  from: string | null,
): ReadonlySet<string> {
  const reused = new Set<string>();
  if (from === null) {
    return reused;
  }
  const edges = edgesOf(document);
  const hasResult = ({ id, status, skip_reason }: Task) =>
    id !== from &&
    (status === "COMPLETED" || (status === "SKIPPED" && skip_reason !== "INSTANCE_ENDED")) &&
    edges.every(([before, after]) => after !== id || reused.has(before));
  for (let size = -1; size < reused.size;) {
    size = reused.size;
    for (const task of tasks) {
      if (hasResult(task)) {
        reused.add(task.id);
      }
    }
  }
  return reused;
}

/** Whether a message that fills a required input, or that no optional input reads, may not be emptied. */
function needsMessage(
  tasks: WorkflowDocument["tasks"],
  { human_msg, values, used_values }: Started,
): boolean {
  const inputs = tasks.flatMap(inputsOf);
  const readers = inputs.filter(
    ({ name, source }) =>
      (source === "system_generated" && name === "human_msg") ||
      (source === "human_input" && !(name in values) && used_values[name] === human_msg),
  );
  return human_msg !== null && (readers.length === 0 || readers.some(({ required }) => required === true));
}

/** The typed values of a rerun. An emptied one is removed, unless it is required; what is not typed is kept. */
export function typedInputs(
  fields: ValueField[],
  typed: Readonly<Record<string, RawValue>>,
  started: Pick<Started, "used_values">,
) {
  const { values, errors } = parseValues(fields, typed);
  for (const { name, required } of fields) {
    const isEmptied = (typed[name] === "" || typed[name] === null) && name in started.used_values;
    if (isEmptied && required) {
      errors[name] = "Enter a value.";
    } else if (isEmptied) {
      values[name] = null;
    }
  }
  return { values, errors };
}

type Started = Pick<Schemas["WorkflowInstanceInputs"], "human_msg" | "values" | "used_values">;

/** The inputs of a run that reach the tasks of a rerun, and the names of those that only reused tasks have. */
export function rerunInputs(document: WorkflowDocument, started: Started, reused: ReadonlySet<string>) {
  const tasks = document.tasks.filter(({ id }) => !reused.has(id));
  const fields = userInputsOf({ ...document, tasks });
  const names = new Set(fields.map(({ name }) => name));
  const unused = userInputsOf(document).filter(({ name }) => !names.has(name));
  // Inputs and conditions refer to the message and the files by these names.
  const text = JSON.stringify(tasks);
  // The message also fills an input without a value.
  const usesMessage =
    reused.size === 0 || text.includes("human_msg") || fields.some(({ name }) => !(name in started.values));
  return {
    fields,
    unused: unused.map(({ name }) => name),
    usesMessage,
    needsMessage: usesMessage && needsMessage(tasks, started),
    usesFiles: reused.size === 0 || text.includes("file_urls"),
  };
}

/** The task from which to run again: the one that is looked at, or the failed one, if results before it can be reused. */
export function suggestedStart(
  document: WorkflowDocument,
  { tasks, error }: Pick<Schemas["WorkflowInstance"], "error"> & { tasks: readonly Task[] },
  selected: string | undefined,
): string | null {
  const ran = tasks.find(({ id, status }) => id === selected && status !== "PENDING" && status !== "SKIPPED");
  const start = ran?.id ?? error?.task ?? null;
  return reusedTasks(document, tasks, start).size > 0 ? start : null;
}
