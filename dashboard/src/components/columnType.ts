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
