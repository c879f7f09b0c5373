import { useSearchParams } from "react-router";

/** Filters of a list stand in the address, so that a link leads to what is seen. */
export function useFilters() {
  const [search, setSearch] = useSearchParams();
  return {
    get: (name: string) => search.get(name) ?? undefined,
    any: search.size > 0,
    set: (name: string, value: string | null) =>
      setSearch(
        (now) => {
          const next = new URLSearchParams(now);
          next.delete(name);
          if (value) {
            next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
    clear: () => setSearch({}, { replace: true }),
  };
}
