/** The ways in which a file can be shown in the page. */
export type PreviewKind = "image" | "pdf" | "csv" | "markdown" | "html" | "text";

const EXTENSIONS: Record<PreviewKind, string[]> = {
  image: ["png", "jpg", "jpeg", "gif", "webp", "avif", "bmp"],
  pdf: ["pdf"],
  csv: ["csv"],
  markdown: ["md", "markdown"],
  html: ["html", "htm"],
  text: ["txt", "log", "json", "xml", "yaml", "yml"],
};

/** The preview for a file name; undefined for files that can only be downloaded. */
export function previewKind(name: string): PreviewKind | undefined {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return (Object.keys(EXTENSIONS) as PreviewKind[]).find((kind) => EXTENSIONS[kind].includes(extension));
}

/** The number of bytes that a preview loads. PDF and HTML files are shown completely or not at all. */
export const PREVIEW_BYTES: Record<PreviewKind, number> = {
  image: 0,
  pdf: 20 * 1024 * 1024,
  html: 1024 * 1024,
  csv: 256 * 1024,
  markdown: 96 * 1024,
  text: 256 * 1024,
};

/** More unreadable characters than this share are those of a binary file, not of a text in another encoding. */
const MAX_UNREADABLE = 0.1;

/** Whether the start of a file, read as text, is that of a binary file. */
export function isBinary(text: string): boolean {
  if (text.includes("\0")) {
    return true;
  }
  const unreadable = [...text].filter(
    (char) => char === "\uFFFD" || (char < " " && !"\t\n\r\f".includes(char)),
  );
  return unreadable.length > MAX_UNREADABLE * text.length;
}

const DELIMITERS = [",", ";", "\t"];

/** The most frequent delimiter of the first line, outside of quotes. */
function delimiterOf(text: string): string {
  const line = (/^[^\r\n]*/.exec(text)?.[0] ?? "").replaceAll(/"[^"]*"/g, "");
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.toSorted((a, b) => count(b) - count(a))[0]!;
}

/** The first rows of a CSV text (RFC 4180), with its most likely delimiter. */
export function parseCsv(source: string, maxRows: number): string[][] {
  const text = source.replace(/^\uFEFF/, "");
  const delimiter = delimiterOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let field = "";
  let quoted = false;
  const endRow = () => {
    rows.push([...row, field]);
    row = [];
    field = "";
  };
  for (let at = 0; at < text.length && rows.length < maxRows; at++) {
    const char = text[at]!;
    if (quoted) {
      if (char !== '"') {
        field += char;
      } else if (text[at + 1] === '"') {
        field += char;
        at++;
      } else {
        quoted = false;
      }
    } else if (char === '"' && field === "") {
      quoted = true;
    } else if (char === delimiter) {
      row.push(field);
      field = "";
    } else if (char === "\n") {
      endRow();
    } else if (char !== "\r") {
      field += char;
    }
  }
  if (rows.length < maxRows && (row.length > 0 || field !== "")) {
    endRow();
  }
  return rows;
}

/**
 * A page for a frame without permissions: it runs no scripts, and its policy keeps it from loading anything, so that a
 * file cannot report that it was read.
 */
export const isolatedHtml = (source: string) =>
  "<!doctype html><meta charset=utf-8>" +
  '<meta http-equiv="Content-Security-Policy" content="' +
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:\">" +
  "<style>:root{color-scheme:light;background:white;font-family:sans-serif}</style>" +
  source;
