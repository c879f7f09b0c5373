/** A part of a text, and whether it matches the search. */
export type TextPart = [text: string, matches: boolean];

/** Splits a text at the words that were searched for. */
export function highlightParts(text: string, searched: string): TextPart[] {
  const words = searched
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (words.length === 0) {
    return [[text, false]];
  }
  return text
    .split(new RegExp(`(${words.join("|")})`, "gi"))
    .map((part, index): TextPart => [part, index % 2 === 1])
    .filter(([part]) => part !== "");
}

/** Characters before the first match that are kept. */
const LEAD = 24;

/** Cuts the beginning of a long text, so that the first word that was searched for is in view. */
export function aroundMatch(text: string, searched: string): string {
  const found = highlightParts(text, searched);
  const [before = "", matches] = found[0] ?? [];
  if (found.length < 2 || matches || before.length <= LEAD) {
    return text;
  }
  const start = before.indexOf(" ", before.length - LEAD) + 1;
  return start === 0 ? text : `…${text.slice(start)}`;
}
