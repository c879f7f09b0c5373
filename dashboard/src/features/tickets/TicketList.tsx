import { useImperativeHandle, useRef, type Ref } from "react";
import { flushSync } from "react-dom";
import type { Schemas } from "../../api";
import { openRow } from "../../components/PagedTable";
import { useRowsInWindow } from "../../components/VirtualRows";
import { focusTicket } from "./ticketFocus";
import { TicketRow } from "./TicketRow";
import classes from "./tickets.module.css";

type Ticket = Schemas["TicketSummary"];

/** Moves the focus in a list of which only the rows near the window exist. */
export interface TicketListHandle {
  focus: (index: number) => void;
}

interface Props {
  ref: Ref<TicketListHandle>;
  items: Ticket[];
  hasMore: boolean;
  linkTo: (ticket: Ticket) => string;
  people: (ticket: Ticket) => string;
  /** Rounded to a minute. */
  now: number;
  chosen: ReadonlySet<string>;
  onSelect: ((id: string, selected: boolean, range: boolean) => void) | undefined;
}

const ROW_HEIGHT = 56;

/** The rows of the inbox that are near the window. */
export function TicketList({ ref, items, hasMore, linkTo, people, now, chosen, onSelect }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const { indexes, before, after, measure, scrollTo } = useRowsInWindow(list, items.length, ROW_HEIGHT);
  useImperativeHandle(ref, () => ({
    focus: (index) => {
      const id = items[index]?.id;
      if (!indexes.includes(index)) {
        flushSync(() => scrollTo(index));
      }
      // A row that was far away is rendered after the scroll event.
      requestAnimationFrame(() => focusTicket(id));
      focusTicket(id);
    },
  }));
  return (
    // The links are the controls; the rest of a row is for the mouse.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <ul
      ref={list}
      className={classes.list}
      aria-label="Tickets"
      style={{ paddingTop: before, paddingBottom: after }}
      onClick={openRow}
    >
      {indexes.map((index) => {
        const ticket = items[index]!;
        return (
          <TicketRow
            key={ticket.id}
            ref={measure}
            index={index}
            count={hasMore ? -1 : items.length}
            ticket={ticket}
            to={linkTo(ticket)}
            people={people(ticket)}
            now={now}
            selected={chosen.has(ticket.id)}
            onSelect={onSelect}
          />
        );
      })}
    </ul>
  );
}
