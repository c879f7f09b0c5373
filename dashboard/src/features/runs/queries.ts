import { useRunDefinition, type Schemas } from "../../api";
import { asDocument } from "../../graph/document";

/** The definition of a run. */
export const useRunDocument = (run: Schemas["WorkflowInstance"] | undefined) =>
  useRunDefinition(run, asDocument);

/** The models that a task used, each once. */
export const modelsOf = (attempts: readonly Schemas["TaskAttempt"][], taskId: string): string[] => [
  ...new Set(attempts.flatMap(({ task, model }) => (task === taskId && model ? [model] : []))),
];

/** The milliseconds between two times; null if one is missing. */
export const durationOf = (from: string | null, to: string | null) =>
  from && to ? Date.parse(to) - Date.parse(from) : null;

type RunInputs = Schemas["WorkflowInstanceInputs"];

/** The message, the files and the values of a run by name, without the value that repeats the message. */
export const valuesOf = (inputs: RunInputs) => ({
  ...(inputs.human_msg === null ? {} : { message: inputs.human_msg }),
  ...Object.fromEntries(inputs.file_urls.map((url, index) => [`file ${index + 1}`, url])),
  ...Object.fromEntries(
    Object.entries(inputs.used_values).filter(([name]) => !isFilledByMessage(inputs, name)),
  ),
  ...inputs.values,
});

/** Whether the message of a run is also the value of an input. */
export const isFilledByMessage = ({ human_msg, values, used_values }: RunInputs, name: string) =>
  human_msg !== null && !(name in values) && used_values[name] === human_msg;

export interface TaskRecord {
  outputs?: Record<string, unknown>;
  inputTokens: number;
  outputTokens: number;
  costMicros: number;
}

/** The latest outputs and usage of each task in the log. */
export function recordsOf(log: Schemas["WorkflowInstanceLog"][]): Map<string, TaskRecord> {
  const records = new Map<string, TaskRecord>();
  for (const entry of log) {
    for (const change of entry.tasks ?? []) {
      const before = records.get(change.task);
      records.set(change.task, {
        outputs: change.outputs ?? before?.outputs,
        inputTokens: change.input_tokens ?? before?.inputTokens ?? 0,
        outputTokens: change.output_tokens ?? before?.outputTokens ?? 0,
        costMicros: change.cost_micros ?? before?.costMicros ?? 0,
      });
    }
  }
  return records;
}
