import type { Schemas } from "../../api";

type Ticket = Pick<Schemas["TicketSummary"], "status" | "reason" | "replaced_by"> & { retried: boolean };

export const isOpen = ({ status }: { status: string }) => status === "OPEN" || status === "IN_PROGRESS";

interface TicketState {
  /** The word in filters, badges and the history. */
  text: string;
  tone: string;
}

const STATES: Record<Schemas["TicketStatus"], TicketState> = {
  OPEN: { text: "Unclaimed", tone: "wait" },
  IN_PROGRESS: { text: "Claimed", tone: "busy" },
  RESOLVED: { text: "Completed", tone: "good" },
  REJECTED: { text: "Rejected", tone: "bad" },
  CLOSED: { text: "Closed", tone: "" },
};

/** The word for a status by itself; undefined if it is unknown. */
export const statusName = (status: string): string | undefined =>
  status in STATES ? STATES[status as Schemas["TicketStatus"]].text : undefined;

/** The state of a ticket. A retried or rejected ticket can have the status RESOLVED or CLOSED. */
export function stateOf({ status, reason, retried, replaced_by }: Ticket): TicketState {
  if (retried) {
    return { text: "Retried", tone: replaced_by ? "bad" : "" };
  }
  const isRejected = (status === "RESOLVED" && Boolean(reason)) || (status === "CLOSED" && replaced_by);
  return STATES[isRejected ? "REJECTED" : status];
}

/** Whether a person retried the task of the ticket. */
export const isRetried = ({ history }: Pick<Schemas["TicketDetails"], "history">) =>
  history.some(({ change }) => change === "retried");
