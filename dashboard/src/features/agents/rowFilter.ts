import type { Condition, RowFilter } from "../../graph/document";
import { basicType } from "../../parts/columnType";

/** A filter of rows as a form can show it: conditions of which all, or one, must hold. */

export type Join = "all" | "any";

const isCondition = (filter: RowFilter): filter is Condition => "column" in filter;

/** The conditions of a filter that is flat; null for a tree that is deeper than that. */
export function conditionsOf(
  filter: RowFilter | null | undefined,
): { join: Join; conditions: Condition[] } | null {
  if (!filter) {
    return { join: "all", conditions: [] };
  }
  if (isCondition(filter)) {
    return { join: "all", conditions: [filter] };
  }
  for (const join of ["all", "any"] as const) {
    const parts = join in filter ? (filter as Record<Join, unknown>)[join] : null;
    if (Array.isArray(parts) && parts.every((each) => typeof each === "object" && isCondition(each))) {
      return { join, conditions: parts };
    }
  }
  return null;
}

/** The filter of these conditions: none, the one, or all (any) of them. */
export function filterOf(join: Join, conditions: Condition[]): RowFilter | undefined {
  if (conditions.length < 2) {
    return conditions[0];
  }
  return join === "all" ? { all: conditions } : { any: conditions };
}

/** What was typed, as a value of the column's type; a list for `in`. */
export function readValue(text: string, op: Condition["op"], columnType: string): unknown {
  if (op === "in") {
    return text
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== "")
      .map((each) => readOne(each, columnType));
  }
  return op === "contains" || op === "starts_with" ? text : readOne(text.trim(), columnType);
}

function readOne(text: string, columnType: string): unknown {
  const type = basicType(columnType);
  if ((type === "INTEGER" || type === "FLOAT") && text !== "") {
    const number = Number(text);
    // What a number cannot hold exactly, or is none, goes as text, and the service says what it thinks of it.
    return Number.isFinite(number) && (type === "FLOAT" || Number.isSafeInteger(number)) ? number : text;
  }
  if (type === "BOOLEAN" && /^(true|false)$/i.test(text)) {
    return text.toLowerCase() === "true";
  }
  return text;
}

/** The other way: a value as a person types it. */
export function writtenValue(value: unknown): string {
  return Array.isArray(value)
    ? value.map(String).join(", ")
    : value === undefined || value === null
      ? ""
      : String(value);
}
