/** The ticket whose row has the focus. */
export const focusedTicket = () =>
  document.activeElement?.closest<HTMLElement>("[data-ticket]")?.dataset.ticket;

/** Moves the focus to a ticket's row, if it is listed. */
export function focusTicket(id: string | undefined) {
  document.querySelector<HTMLElement>(`[data-ticket="${id}"] .rowLink`)?.focus();
}

let lastOpened: string | undefined;

/** Lets the keys of the list go on from the ticket that was opened or focused last. */
export function rememberOpened(id: string) {
  lastOpened = id;
}

/** The index of the row to go to by a step from the focused one. */
export function indexAfter(ids: string[], step: number): number {
  const focused = ids.indexOf(focusedTicket() ?? "");
  if (focused < 0) {
    return Math.max(0, ids.indexOf(lastOpened ?? ""));
  }
  return Math.min(ids.length - 1, Math.max(0, focused + step));
}
