import type { Schemas } from "../../api";

type Task = Pick<Schemas["TaskInstance"], "id" | "status" | "reused"> & { ticket_id: string | null };

/** The task that waits for a ticket. */
export const waitingTask = <T extends Task>(tasks: readonly T[]) =>
  tasks.find((each) => each.status === "WAITING" && each.ticket_id !== null);

interface Run<T> {
  tasks: readonly T[];
  error: { task: string | null } | null;
  rerun_of: { from_task: string | null } | null;
}

/** The task whose details are shown: the chosen one, else one that failed or waits, else the first one that runs. */
export function shownTask<T extends Task>(
  { tasks, error, rerun_of }: Run<T>,
  chosen: string | undefined,
): T | undefined {
  const byId = (id: string | null | undefined) => tasks.find((each) => each.id === id);
  const runs = (each: T | undefined) => each && !each.reused;
  const from = byId(rerun_of?.from_task);
  return (
    byId(chosen) ??
    byId(error?.task) ??
    waitingTask(tasks) ??
    (runs(from) ? from : tasks.find(runs)) ??
    tasks[0]
  );
}
