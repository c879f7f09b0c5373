import { diffWordsWithSpace } from "diff";
import { scalarText } from "./ValueTable";
import { parsedJson } from "./json";

/** A part of a text on one side of a comparison. */
export interface DiffPart {
  text: string;
  changed: boolean;
}

/** Beyond this number of edits the whole text counts as changed. */
const MAX_EDITS = 2_000;

/** The texts with the words that only one of them has. */
export function wordDiff(older: string, newer: string): [older: DiffPart[], newer: DiffPart[]] {
  const changes = diffWordsWithSpace(older, newer, { maxEditLength: MAX_EDITS });
  if (!changes) {
    return [[{ text: older, changed: true }], [{ text: newer, changed: true }]];
  }
  const side = (left: boolean) =>
    changes
      .filter(({ added, removed }) => (left ? !added : !removed))
      .map(({ value, added, removed }) => ({ text: value, changed: added || removed }));
  return [side(true), side(false)];
}

/** A value as text to compare and to show. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) {
    return "";
  }
  if (typeof value === "boolean") {
    return scalarText(value);
  }
  if (typeof value !== "string") {
    return JSON.stringify(value, null, 2);
  }
  const parsed = parsedJson(value);
  return typeof parsed === "object" && parsed !== null ? JSON.stringify(parsed, null, 2) : value;
}
