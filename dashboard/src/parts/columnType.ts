import type { Property } from "../graph/document";

/** The type of an input for the engine's name of a column's type; null for what is a list or a structure. */
export function basicType(type: string): Property["type"] | null {
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
