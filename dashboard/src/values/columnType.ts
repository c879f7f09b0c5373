import type { Property } from "../graph/document";

/** Maps a SQL column type to an input type; null for lists and structures. */
export function inputTypeOf(type: string): Property["type"] | null {
  if (/^(STRUCT|MAP|LIST|UNION)|\]$/.test(type)) {
    return null;
  }
  if (/^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/.test(type)) {
    return "INTEGER";
  }
  if (/^(DOUBLE|FLOAT|REAL|DECIMAL)/.test(type)) {
    return "FLOAT";
  }
  return type === "BOOLEAN" ? "BOOLEAN" : "STRING";
}

const decimal = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20 });

/** A value as text, of a column with fractions with thousands separators; other numbers may be IDs or years. */
export const formatNumberText = (text: string, type: string): string =>
  inputTypeOf(type) === "FLOAT" && text.trim() !== "" && Number.isFinite(Number(text))
    ? decimal.format(text as Intl.StringNumericLiteral)
    : text;

/** A value of a yes/no column, as all pages show it. */
export const yesOrNo = (value: boolean) => (value ? "Yes" : "No");

/** The type in words for people who don't know SQL, such as "text" or "date and time". */
export function typeLabel(type: string): string {
  if (/\]$|^LIST/.test(type)) {
    return "list";
  }
  if (type.startsWith("TIMESTAMP")) {
    return "date and time";
  }
  const labels: Record<string, string> = { INTEGER: "whole number", FLOAT: "number", BOOLEAN: "yes/no" };
  const known: Record<string, string> = { DATE: "date", TIME: "time" };
  const input = inputTypeOf(type);
  return input === null ? "structure" : (known[type] ?? labels[input] ?? "text");
}
