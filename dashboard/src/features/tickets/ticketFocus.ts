/** The ticket whose row has the focus. */
export const focusedTicket = () =>
  document.activeElement?.closest<HTMLElement>("[data-ticket]")?.dataset.ticket;

/** Moves the focus to a ticket's row, if it is listed. */
export function focusTicket(id: string | undefined) {
  document.querySelector<HTMLElement>(`[data-ticket="${id}"] .rowLink`)?.focus();
}
