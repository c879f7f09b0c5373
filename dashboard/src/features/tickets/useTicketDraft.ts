import type { Schemas } from "../../api";
import { useUnsavedChanges } from "../../components/leaveGuard";
import { isOpen } from "./ticketState";
import { useFormDraft, type FormDraft } from "../../values/useFormDraft";

/** The entries of a ticket's form. They stay in this browser also if another person completes the ticket first. */
export function useTicketDraft(ticket: Schemas["TicketDetails"]): FormDraft {
  const draft = useFormDraft(`ticket/${ticket.id}`, ticket.form);
  useUnsavedChanges(draft.filled && isOpen(ticket), { kept: true });
  return draft;
}
