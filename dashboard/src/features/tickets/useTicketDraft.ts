import type { Schemas } from "../../api/client";
import { useUnsavedChanges } from "../../components/leaveGuard";
import { useDraftText } from "../../components/useLocalDraft";
import type { RawValue } from "../../components/valueFields";
import { hasValues, readDraftValues } from "./draftValues";
import { isOpen } from "./ticketState";

export interface TicketDraft {
  values: Record<string, RawValue>;
  /** Whether a field has a value. */
  filled: boolean;
  set: (name: string, value: RawValue) => void;
  clear: () => void;
}

/**
 * The entries of a ticket's form. They stay in this browser until the person completes the ticket or discards them,
 * also if another person completes it first.
 */
export function useTicketDraft(ticket: Schemas["TicketDetails"]): TicketDraft {
  const [text, setText] = useDraftText(`ticket/${ticket.id}`);
  const values = readDraftValues(text, ticket.form);
  const filled = hasValues(values);
  useUnsavedChanges(filled && isOpen(ticket), { kept: true });
  return {
    values,
    filled,
    set: (name, value) => {
      const next = { ...values, [name]: value };
      setText(hasValues(next) ? JSON.stringify(next) : "");
    },
    clear: () => setText(""),
  };
}
