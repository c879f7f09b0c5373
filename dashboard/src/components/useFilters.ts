import { useSearchParams } from "react-router";

interface SetOptions {
  /** Adds a history entry. Use it for navigation, such as opening a task, but not for filters. */
  push?: boolean;
  /** The state of the history entry. */
  state?: unknown;
}

/** The query parameter that names the open dialog. */
export const DIALOG = "dialog";

/** Keeps filters and selections in the URL, so that a link opens the same view. */
export function useFilters() {
  const [search, setSearch] = useSearchParams();
  const setAll = (values: Record<string, string | null>, { push = false, state }: SetOptions = {}) => {
    // The rendered parameters may be older, and would undo another change.
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(values)) {
      next.delete(name);
      if (value) {
        next.set(name, value);
      }
    }
    // Keep the scroll position.
    setSearch(next, { replace: !push, state, preventScrollReset: true });
  };
  return {
    get: (name: string) => search.get(name) ?? undefined,
    /** Whether a filter is set; an open dialog (useDialog) does not count. */
    any: [...search.keys()].some((name) => name !== DIALOG),
    set: (name: string, value: string | null, options?: SetOptions) => setAll({ [name]: value }, options),
    setAll,
    clear: () => setSearch({}, { replace: true }),
  };
}
