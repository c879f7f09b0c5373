import { stateOf } from "./ticketState";

/** The state of a ticket as text and color; the text alone is enough. */
export function TicketStatus({ ticket }: { ticket: Parameters<typeof stateOf>[0] }) {
  const { text, tone } = stateOf(ticket);
  return (
    <span className="status" data-tone={tone} data-status={ticket.status}>
      {text}
    </span>
  );
}
