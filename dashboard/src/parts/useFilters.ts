import { useSearchParams } from "react-router";

interface Setting {
  /** Whether "back" shall undo it: for what people go to, such as a task, not for what narrows a list. */
  push?: boolean;
  /** What the entry of the browser's history knows besides. */
  state?: unknown;
}

/** What the address calls the open dialog. */
export const DIALOG = "dialog";

/** Filters of a list, and what is chosen on a page, stand in the address, so that a link leads to what is seen. */
export function useFilters() {
  const [search, setSearch] = useSearchParams();
  return {
    get: (name: string) => search.get(name) ?? undefined,
    /** Whether there is a filter; that a dialog is open (useDialog) is none. */
    any: [...search.keys()].some((name) => name !== DIALOG),
    set: (name: string, value: string | null, { push = false, state }: Setting = {}) =>
      setSearch(
        (now) => {
          const next = new URLSearchParams(now);
          next.delete(name);
          if (value) {
            next.set(name, value);
          }
          return next;
        },
        // Who chooses something stays where they read.
        { replace: !push, state, preventScrollReset: true },
      ),
    clear: () => setSearch({}, { replace: true }),
  };
}
