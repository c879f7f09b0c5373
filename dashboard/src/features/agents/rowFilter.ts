import type { Condition, RowFilter } from "../../graph/document";
import { basicType } from "../../parts/columnType";

/** A filter of rows as a form shows it: conditions and groups of them, each with how many must hold. */

export const JOINS = {
  all: "all of these hold",
  any: "at least one holds",
  not_all: "not all of these hold",
  none: "none of these holds",
} as const;

export type Join = keyof typeof JOINS;

/** `at`: the JSON pointers under which the service finds fault with it; none for what was just added. */
export interface FormCondition {
  condition: Condition;
  at: string[];
}

export interface FormGroup {
  join: Join;
  parts: FormPart[];
  at: string[];
}

export type FormPart = FormCondition | FormGroup;

export const isGroup = (part: FormPart): part is FormGroup => "join" in part;

/** The filter as a group; null for what is no filter, which the JSON view may hold. */
export function groupOf(filter: RowFilter | null | undefined, path: string): FormGroup | null {
  if (filter === undefined || filter === null) {
    return { join: "all", parts: [], at: [path] };
  }
  const found = partOf(filter, path);
  return found && (isGroup(found) ? found : { join: "all", parts: [found], at: [] });
}

function partOf(filter: unknown, path: string): FormPart | null {
  if (typeof filter !== "object" || filter === null) {
    return null;
  }
  const kinds = ["all", "any", "not", "column"].filter((kind) => kind in filter);
  const { all, any, not } = filter as Record<string, unknown>;
  if (kinds.length !== 1) {
    return null;
  }
  switch (kinds[0]) {
    case "all":
      return listOf("all", all, path);
    case "any":
      return listOf("any", any, path);
    case "not":
      return negated(partOf(not, `${path}/not`), path);
    default:
      return {
        condition: filter as Condition,
        at: ["", "/column", "/op", "/value", "/input"].map((field) => path + field),
      };
  }
}

function listOf(join: "all" | "any", list: unknown, path: string): FormGroup | null {
  if (!Array.isArray(list)) {
    return null;
  }
  const parts = list.map((each, index) => partOf(each, `${path}/${join}/${index}`));
  return parts.every((each) => each !== null) ? { join, parts, at: [path, `${path}/${join}`] } : null;
}

const NEGATED: Partial<Record<Join, Join>> = { all: "not_all", any: "none" };

function negated(inner: FormPart | null, path: string): FormGroup | null {
  if (inner === null) {
    return null;
  }
  const join = isGroup(inner) ? NEGATED[inner.join] : undefined;
  return isGroup(inner) && join
    ? { join, parts: inner.parts, at: [path, ...inner.at] }
    : { join: "none", parts: [inner], at: [path] };
}

/** The filter that the group means: none where it is empty, and a condition that stands alone as itself. */
export function filterOf(group: FormGroup): RowFilter | undefined {
  const [first] = group.parts;
  if (!first) {
    return undefined;
  }
  return group.join === "all" && group.parts.length === 1 && !isGroup(first)
    ? first.condition
    : written(group);
}

function written(part: FormPart): RowFilter {
  if (!isGroup(part)) {
    return part.condition;
  }
  const parts = part.parts.map(written);
  switch (part.join) {
    case "all":
      return { all: parts };
    case "any":
      return { any: parts };
    case "not_all":
      return { not: { all: parts } };
    case "none":
      // What is read as "none" again: {"not": {"all": …}} would not be.
      return parts.length === 1 && !("all" in parts[0]!) && !("any" in parts[0]!)
        ? { not: parts[0]! }
        : { not: { any: parts } };
  }
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
