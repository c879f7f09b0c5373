import type { Schemas } from "../../api";

type Ticket = Pick<Schemas["TicketDetails"], "rule_type" | "tool_call" | "replaced_by">;

/** The name of the action that rejects a ticket. It is not “No”, which is an answer. */
export function rejectLabel({ rule_type, tool_call }: Pick<Ticket, "rule_type" | "tool_call">): string {
  return rule_type === "Exception" ? "Fail the run" : tool_call ? "Reject call" : "Can’t answer…";
}

/**
 * Says what happens when a ticket is rejected.
 *
 * @param policy the error policy of the task; undefined if it is not known
 */
export function rejectionEffect(ticket: Ticket, policy: string | null | undefined): string {
  if (ticket.rule_type === "Exception") {
    return "The run stops with the task’s error. This can’t be undone.";
  }
  if (ticket.tool_call) {
    return "The call isn’t made. The model gets this reason, and the run continues.";
  }
  switch (policy) {
    case "IGNORE":
      return "The run continues without an answer. This can’t be undone.";
    case "RETRY":
      return "The agent asks again in a new ticket. After several rejections the run fails.";
    case undefined:
      return "The run fails, unless the agent is set up to continue without an answer. This can’t be undone.";
    default:
      return "The run fails with this reason. This can’t be undone.";
  }
}

/** Says what became of the run after a rejection; empty while that is not known. */
export function runAfterRejection(
  { replaced_by }: Pick<Ticket, "replaced_by">,
  status: string | undefined,
): string {
  if (replaced_by) {
    return "The agent asks again in a new ticket.";
  }
  switch (status) {
    case "FAILED":
      return "The run failed.";
    case "COMPLETED":
      return "The run completed without an answer.";
    case "RUNNING":
    case "PAUSED":
      return "The run continues without an answer.";
    default:
      return "";
  }
}
