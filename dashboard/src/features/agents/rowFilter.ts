import type { FilterCondition, RowFilter } from "../../graph/document";
import { inputTypeOf } from "../../values/columnType";

/** The row filter as the form shows it: groups of conditions with a join. */

export const JOINS = {
  all: "all conditions match",
  any: "any condition matches",
  not_all: "not all conditions match",
  none: "no condition matches",
} as const;

export type Join = keyof typeof JOINS;

/** `at`: the JSON pointers of its validation issues; empty for new conditions. */
export interface FormCondition {
  condition: FilterCondition;
  at: string[];
}

export interface FormGroup {
  join: Join;
  parts: FormPart[];
  at: string[];
}

export type FormPart = FormCondition | FormGroup;

export const isGroup = (part: FormPart): part is FormGroup => "join" in part;

/** Converts a filter to a group; null for an invalid filter, which the JSON view allows. */
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
        condition: filter as FilterCondition,
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

/** Converts a group to a filter: undefined if empty, and a single condition without a group around it. */
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
      // {"not": {"all": …}} would be parsed as "not_all".
      return parts.length === 1 && !("all" in parts[0]!) && !("any" in parts[0]!)
        ? { not: parts[0]! }
        : { not: { any: parts } };
  }
}

/** Parses a typed value by the type of its column; `in` takes a list. */
export function readValue(text: string, op: FilterCondition["op"], columnType: string): unknown {
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
  const type = inputTypeOf(columnType);
  if ((type === "INTEGER" || type === "FLOAT") && text !== "") {
    const number = Number(text);
    // Numbers that lose precision and other text are sent as text, for the server to validate.
    return Number.isFinite(number) && (type === "FLOAT" || Number.isSafeInteger(number)) ? number : text;
  }
  if (type === "BOOLEAN" && /^(true|false)$/i.test(text)) {
    return text.toLowerCase() === "true";
  }
  return text;
}

/** Formats a value for the text field. */
export function writtenValue(value: unknown): string {
  return Array.isArray(value)
    ? value.map(String).join(", ")
    : value === undefined || value === null
      ? ""
      : String(value);
}
