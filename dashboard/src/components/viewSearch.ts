/** The part of the URL that a saved view keeps: these filters, in one order. */
export function viewSearch(search: string, filters: readonly string[]): string {
  const kept = new URLSearchParams(search);
  [...kept.keys()].filter((name) => !filters.includes(name)).forEach((name) => kept.delete(name));
  kept.sort();
  return kept.toString();
}
