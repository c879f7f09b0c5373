import type { Schemas } from "../../api";

type Step = Schemas["TaskInstance"];

/** The tasks that had finished when the ticket was opened, in the order in which they finished. */
export function stepsBefore(
  tasks: readonly Step[],
  ticket: Pick<Schemas["TicketDetails"], "task_id" | "created_at">,
): Step[] {
  const finished = (task: Step) => Date.parse(task.finished_at ?? "");
  return tasks
    .filter((task) => task.id !== ticket.task_id && finished(task) <= Date.parse(ticket.created_at))
    .toSorted((one, other) => finished(one) - finished(other));
}
