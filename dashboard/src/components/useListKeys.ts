import { useEffect } from "react";
import { useLocation } from "react-router";
import { useShortcutHelp, type ShortcutGroup } from "./shortcuts";
import { useShortcutKeys } from "./useShortcutKeys";

/** The links or buttons that open the rows of the page's list; only those near the window exist in a long one. */
const ROWS = ".openableRows tbody .rowLink, [data-list-row]";

let path: string | undefined;

/** The path of the page that was left last, or the row that was focused later: where a list goes on. */
let last: string | HTMLElement | undefined;

/** Links are recognized by their path, as a list has new elements after each visit. */
const identityOf = (row: HTMLElement) => (row instanceof HTMLAnchorElement ? row.pathname : row);

/** Lets the list to which a person returns from this page go on from the page's row. */
export function useRowOfPage() {
  const { pathname } = useLocation();
  useEffect(() => {
    if (pathname !== path) {
      last = path;
      path = pathname;
    }
  }, [pathname]);
}

/** The row by a step from the focused or open one, or else the last one, or else the first in the window. */
function rowAfter(rows: HTMLElement[], step: number): HTMLElement | undefined {
  const focused = rows.findIndex((row) => row === document.activeElement);
  const from = focused >= 0 ? focused : rows.findIndex((row) => row.ariaCurrent === "page");
  return from >= 0
    ? rows[from + step]
    : (rows.find((row) => identityOf(row) === last) ??
        rows.find((row) => row.getBoundingClientRect().top >= 0) ??
        rows[0]);
}

/** The shortcuts of a list of runs, emails or other things. */
export const listShortcuts = (title: string, one: string, searched?: string): ShortcutGroup => ({
  title,
  shortcuts: [
    ["J", `Next ${one}`],
    ["K", `Previous ${one}`],
    ["Enter", `Open the ${one}`],
    ...(searched ? [["/", `Search ${searched}`] as const] : []),
  ],
});

interface Options {
  /** Whether J and K open the row, too, as in the list beside an open conversation. */
  opens?: boolean;
}

/** J and K move between the rows of the page's list, and / goes to its search field. */
export function useListKeys(help: ShortcutGroup, { opens = false }: Options = {}) {
  useShortcutHelp(help);
  const move = (step: number) => {
    const row = rowAfter([...document.querySelectorAll<HTMLElement>(ROWS)], step);
    if (row) {
      last = identityOf(row);
      row.focus();
      if (opens) {
        row.click();
      }
    }
  };
  useShortcutKeys({
    j: () => move(1),
    k: () => move(-1),
    "/": () => document.querySelector<HTMLElement>('main input[type="search"]')?.focus(),
  });
}
