/** The searchable text of an item. */
export interface Searchable {
  label: string;
  description?: string;
  /** The heading above the item. */
  group?: string;
  /** Found by the server for the current text, so that it is not compared again. */
  found?: boolean;
}

const NO_MATCH = 9;

/** How well a text matches: 0 at the start of the label, 1 at the start of a word, 2 elsewhere. */
function rank(item: Searchable, text: string, words: string[]): number {
  const label = item.label.toLowerCase();
  const searched = `${label} ${item.description?.toLowerCase() ?? ""}`;
  if (!item.found && !words.every((word) => searched.includes(word))) {
    return NO_MATCH;
  }
  return label.startsWith(text) ? 0 : ` ${label}`.includes(` ${text}`) ? 1 : 2;
}

/**
 * The items that match, best first, with those of a group together. Without a text all match in their order.
 *
 * @param mostOfGroup the items shown of each group
 */
export function searchItems<T extends Searchable>(
  items: readonly T[],
  typed: string,
  mostOfGroup: number,
): T[] {
  const text = typed.trim().toLowerCase();
  const words = text.split(/\s+/).filter(Boolean);
  const groups = new Map<string, { item: T; rank: number }[]>();
  for (const item of items) {
    const found = rank(item, text, words);
    if (found !== NO_MATCH) {
      const group = item.group ?? "";
      groups.set(group, [...(groups.get(group) ?? []), { item, rank: found }]);
    }
  }
  return [...groups.values()]
    .map((group) => group.toSorted((one, other) => one.rank - other.rank).slice(0, mostOfGroup))
    .toSorted((one, other) => one[0]!.rank - other[0]!.rank)
    .flatMap((group) => group.map(({ item }) => item));
}
