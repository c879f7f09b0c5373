import { memo, type Ref } from "react";
import { Link } from "react-router";
import type { Schemas } from "../../api";
import { formatDateTime } from "../../components/Time";
import { truncate } from "../../components/truncate";
import { readablePreview } from "./readablePreview";
import { TicketStatus } from "./TicketStatus";
import { dueText, spanText } from "./ticketTimes";
import classes from "./tickets.module.css";

interface Props {
  ref: Ref<HTMLLIElement>;
  /** The position in the list, from 0, and the length of the list; −1 if there are more pages. */
  index: number;
  count: number;
  ticket: Schemas["TicketSummary"];
  /** The URL of the ticket, with the filters of the list. */
  to: string;
  /** The person who ended or claimed the ticket, or else its assignees. */
  people: string;
  /** Rounded to a minute, so that rows render once a minute at most. */
  now: number;
  selected: boolean;
  onSelect: ((id: string, selected: boolean, range: boolean) => void) | undefined;
}

/** A row of the inbox. */
export const TicketRow = memo(function TicketRow(props: Props) {
  const { ref, index, count, ticket, to, people, now, selected, onSelect } = props;
  const done = ticket.resolved_at !== null && ticket.resolved_at !== undefined;
  const at = ticket.resolved_at ?? ticket.created_at;
  const due = ticket.due_at ? dueText(ticket.due_at, now, done) : null;
  return (
    <li
      ref={ref}
      data-index={index}
      aria-posinset={index + 1}
      aria-setsize={count}
      className={classes.row}
      data-done={done || undefined}
      data-selected={selected || undefined}
      data-ticket={ticket.id}
    >
      {onSelect && (
        <input
          type="checkbox"
          aria-label={`Select ticket #${ticket.number}`}
          checked={selected}
          onChange={() => undefined}
          onClick={(event) => onSelect(ticket.id, !selected, event.shiftKey)}
        />
      )}
      <div style={{ minWidth: 0 }}>
        <div className={classes.title}>
          <Link className="rowLink" to={to} title={ticket.title}>
            #{ticket.number} {ticket.title}
          </Link>
          {ticket.test_run && <span className={classes.test}>Test</span>}
          {ticket.retried && ticket.replaced_by && (
            <span className={classes.failedAgain}>
              Failed again{ticket.replaced_by_number ? `, see #${ticket.replaced_by_number}` : ""}
            </span>
          )}
          {!done && ticket.priority === "HIGH" && <span className={classes.flag}>High priority</span>}
        </div>
        <div className={classes.preview} title={preview(ticket)}>
          {ticket.workflow_name} · {preview(ticket)}
        </div>
      </div>
      <div className={classes.facts} data-done={done || undefined}>
        {done && <TicketStatus ticket={ticket} />}
        <span className={classes.cell} title={people}>
          {people}
        </span>
        <div className={classes.times}>
          {due && (
            <time
              className={due.overdue ? classes.overdue : undefined}
              dateTime={ticket.due_at ?? undefined}
              title={formatDateTime(ticket.due_at ?? "")}
            >
              {due.text}
            </time>
          )}
          <time className={classes.dimmed} dateTime={at} title={formatDateTime(at)}>
            {done ? "Finished" : "Opened"} {spanText(now - Date.parse(at))} ago
          </time>
        </div>
      </div>
    </li>
  );
});

/** What tells the ticket from others of its task: the error, the inputs, or the instructions. */
function preview({ exception, input_preview, description }: Schemas["TicketSummary"]): string {
  return (
    [exception?.error, readablePreview(input_preview)].filter(Boolean).join(" · ") ||
    truncate(description, 160)
  );
}
