import type Fuse from "fuse.js/basic";

/** The searchable text of an item. */
export interface Searchable {
  label: string;
  description?: string;
  /** A longer text, in which only typos are looked for. */
  detail?: string | undefined;
  /** The heading above the item. */
  group?: string;
  /** Found by the server for the current text, so that it is not compared again. */
  found?: boolean;
  /** Listed only if nothing matches and the text has a typo. */
  onlySimilar?: boolean;
}

const NO_MATCH = 9;
/** Fuse.js: 0 for equal texts, 1 for any. About one wrong letter in four. */
const MAX_DISTANCE = 0.3;
const MIN_TYPO_LENGTH = 4;
const MAX_SIMILAR = 7;

/** The number of a ticket, as people write it. */
export const TICKET_NUMBER = /^(?:tickets?\s*)?#?\s*(\d{1,9})$/i;

/** The verbs with which people ask for a page, as in "go to teams" or "show me the audit log". */
const VERB =
  /^(?:(?:go|navigate|jump|switch|take\s+me)\s+to|goto|open|show(?:\s+me)?|view|find)\s+(?:(?:the|my|all)\s+)?(?=\S)/i;

/** A text without the verb of a command and the word "page" at the end. */
export const withoutVerb = (typed: string) => {
  const rest = typed.trim().replace(VERB, "");
  return rest === typed.trim() ? rest : rest.replace(/(?<=\S)\s+page$/i, "");
};

/**
 * How well a text matches: -1 for the number of the item, 0 at the start of the label, 1 at the start of a word, 2
 * elsewhere.
 */
function rank(item: Searchable, text: string): number {
  const label = item.label.toLowerCase().replace(/^#/, "");
  const searched = `${label} ${item.description?.toLowerCase() ?? ""}`;
  if (!item.found && !text.split(/\s+/).every((word) => searched.includes(word))) {
    return NO_MATCH;
  }
  const number = TICKET_NUMBER.exec(text)?.[1];
  if (number !== undefined && item.label.startsWith(`#${number} `)) {
    return -1;
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
  const texts = [typed, withoutVerb(typed)].map((text) => text.trim().toLowerCase().replace(/^#/, ""));
  const groups = new Map<string, { item: T; rank: number }[]>();
  for (const item of items) {
    const found = item.onlySimilar ? NO_MATCH : Math.min(...texts.map((text) => rank(item, text)));
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

/** The items with a text like the typed one, which has a typo. The library is loaded when it may be needed. */
export function similarItems<T extends Searchable>(
  Library: typeof Fuse,
  items: readonly T[],
  typed: string,
): T[] {
  const text = withoutVerb(typed);
  return text.length < MIN_TYPO_LENGTH
    ? []
    : new Library(items, {
        keys: [{ name: "label", weight: 2 }, "detail"],
        threshold: MAX_DISTANCE,
        ignoreLocation: true,
      })
        .search(text, { limit: MAX_SIMILAR })
        .map(({ item }) => ({ ...item, group: "Similar" }));
}
