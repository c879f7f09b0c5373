import type { Schemas } from "../../api";

type Ticket = Pick<Schemas["TicketDetails"], "history" | "replaced_by" | "task_id">;
type Task = Pick<Schemas["TaskInstance"], "id" | "status">;

/** The progress of a task that a ticket retried. */
export type Retry = "running" | "failed" | "completed";

/** The progress of the retried task; undefined if the ticket ended otherwise. */
export function retryOf(ticket: Ticket, tasks: readonly Task[] | undefined): Retry | undefined {
  if (!ticket.history.some(({ change }) => change === "retried")) {
    return undefined;
  }
  const status = tasks?.find(({ id }) => id === ticket.task_id)?.status;
  if (ticket.replaced_by || status === "FAILED") {
    return "failed";
  }
  return status === "COMPLETED" ? "completed" : "running";
}
