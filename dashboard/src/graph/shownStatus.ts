import type { Schemas } from "../api";

type TaskResult = Pick<Schemas["TaskInstance"], "status" | "error"> & { reused?: boolean };

/** The status of a task as people see it: completed is only what ran and succeeded. */
export type ShownStatus = Schemas["TaskStatus"] | "FAILED_IGNORED" | "REUSED";

export function shownStatus({ status, error, reused }: TaskResult): ShownStatus {
  if (status !== "COMPLETED") {
    return status;
  }
  return reused ? "REUSED" : error ? "FAILED_IGNORED" : "COMPLETED";
}

/** Whether the task failed, also if the failure was ignored or waits for a person. */
export const hasFailed = ({ status, error }: TaskResult): boolean =>
  status === "FAILED" || (Boolean(error) && (status === "COMPLETED" || status === "WAITING"));

/** Why a task has a status that is not one of the service; undefined for the others. */
export function statusReason(task: TaskResult): string | undefined {
  switch (shownStatus(task)) {
    case "REUSED":
      return "The task did not run. Its result is that of the earlier run.";
    case "FAILED_IGNORED":
      return `${task.error!.error}: ${task.error!.detail}\nThe error policy of the task ignores failures, so the run continued without its outputs.`;
    default:
      return undefined;
  }
}

/** The counts in the order in which they are listed after the completed tasks. */
const OTHERS = [
  ["FAILED", "failed"],
  ["FAILED_IGNORED", "failed and ignored"],
  ["REUSED", "reused"],
  ["SKIPPED", "skipped"],
  ["CANCELLED", "cancelled"],
] as const;

/** Counts tasks as ["2 of 4 completed", "1 failed and ignored, 1 skipped"]. */
export function taskCounts(tasks: readonly TaskResult[]): [completed: string, others: string] {
  const shown = tasks.map(shownStatus);
  const count = (status: ShownStatus) => shown.filter((each) => each === status).length;
  const others = OTHERS.filter(([status]) => count(status) > 0).map(
    ([status, text]) => `${count(status)} ${text}`,
  );
  return [`${count("COMPLETED")} of ${tasks.length} completed`, others.join(", ")];
}
