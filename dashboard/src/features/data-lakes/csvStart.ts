import { parseCsv } from "../../components/filePreviews";

/** What the start of a CSV file tells before its upload. */
export interface CsvStart {
  header: string[];
  rows: string[][];
  /** The likely type of each column in words; null for a column without values. */
  types: (string | null)[];
  /** Whether the text is the whole file. */
  whole: boolean;
}

const MAX_ROWS = 1_000;

/** @param whole whether the text is the whole file, so that its last row is complete */
export function csvStart(text: string, whole: boolean): CsvStart {
  const all = parseCsv(text, whole ? Infinity : MAX_ROWS);
  const [header = [], ...body] = whole || all.length === MAX_ROWS ? all : all.slice(0, -1);
  const rows = body.filter((row) => row.length > 1 || row[0] !== "");
  const types = header.map((_, column) => likelyType(rows.map((row) => row[column] ?? "")));
  return { header, rows, types, whole };
}

/** Whether each row has a value for each name. Otherwise there are titles or mistakes, which the server finds. */
export const isUniform = ({ header, rows }: CsvStart) =>
  header.every((name) => name !== "") && rows.every((row) => row.length === header.length);

/** Values that a type would change, such as 007, are texts. The server decides by all rows. */
const TYPES: readonly [string, RegExp][] = [
  ["whole number", /^-?(0|[1-9]\d{0,14})$/],
  ["number", /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/],
  ["yes/no", /^(true|false)$/],
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["date and time", /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,6})?$/],
  ["date and time", /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,6})?Z$/],
];

function likelyType(values: readonly string[]): string | null {
  const given = values.filter((value) => value !== "");
  return given.length === 0
    ? null
    : (TYPES.find(([, pattern]) => given.every((value) => pattern.test(value)))?.[0] ?? "text");
}

/** The line of a quotation mark that is never closed; null if there is none. */
export function unclosedQuote(text: string): number | null {
  let line = 1;
  let opened: number | null = null;
  let fieldStarts = true;
  for (const char of text) {
    if (char === '"' && (opened !== null || fieldStarts)) {
      // A doubled mark closes and opens again.
      opened = opened === null ? line : null;
      fieldStarts = opened === null;
    } else {
      fieldStarts = ",;\t\n\r\uFEFF".includes(char);
    }
    if (char === "\n") {
      line++;
    }
  }
  return opened;
}

/**
 * The line of the first bytes that are not UTF-8; null if there are none.
 * @param whole whether the bytes are the whole file, so that its last character is complete
 */
export function unreadableLine(bytes: ArrayBuffer, whole: boolean): number | null {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !whole });
    return null;
  } catch {
    const [before = ""] = new TextDecoder().decode(bytes).split("\uFFFD", 1);
    return before.split("\n").length;
  }
}
