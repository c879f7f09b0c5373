import { parsedJson } from "../components/json";
import { parseNumber } from "./numberText";
import { memberLabel } from "../components/memberLabel";

/** A member of an object. */
export interface ValueMember {
  name: string;
  type: string;
  description?: string | null;
  required?: boolean | null;
}

/** The type of a list's items. */
export interface ItemType {
  type: string;
  items?: ItemType | null;
  properties?: readonly ValueMember[] | null;
}

interface StructuredField {
  type: string;
  items?: ItemType | null;
  properties?: readonly ValueMember[] | null;
}

export type StructureValue = Record<string, unknown> | Record<string, unknown>[];

/** An object, or a list of objects or of single values, that a form can edit. */
export interface Structure {
  isList: boolean;
  /** Whether the items of the list are single values; their rows have one member. */
  isSingle: boolean;
  members: ValueMember[];
  /** Reads JSON text; undefined if the form cannot show it. */
  read: (text: string) => StructureValue | undefined;
  /** Writes JSON text; null for nothing. */
  write: (value: StructureValue) => string | null;
  example: string;
}

/** The name of the only member of the rows of a list of single values. */
const ITEM = "value";

/** The form for a field; undefined if its type is unknown or too deep for one. */
export function structureOf({ type, items, properties }: StructuredField): Structure | undefined {
  if (type === "OBJECT" && properties?.length) {
    return structure(properties, false, false);
  }
  if (type === "ARRAY" && items?.type === "OBJECT" && items.properties?.length) {
    return structure(items.properties, true, false);
  }
  if (type === "ARRAY" && items && items.type !== "OBJECT" && items.type !== "ARRAY") {
    return structure([{ name: ITEM, type: items.type, required: true }], true, true);
  }
  return undefined;
}

function structure(members: readonly ValueMember[], isList: boolean, isSingle: boolean): Structure {
  const wrap = (item: unknown) => (isSingle ? { [ITEM]: item } : item);
  const unwrap = (row: Record<string, unknown>) => (isSingle ? (row[ITEM] ?? "") : row);
  const sample = Object.fromEntries(members.map(({ name, type }) => [name, SAMPLES[type] ?? "text"]));
  return {
    isList,
    isSingle,
    members: [...members],
    read: (text) => {
      if (text.trim() === "") {
        return isList ? [{}] : {};
      }
      const value = parsedJson(text);
      if (!isList) {
        return fits(value, members) ? value : undefined;
      }
      const rows = Array.isArray(value) ? value.map(wrap) : [undefined];
      return rows.every((row) => fits(row, members)) ? rows : undefined;
    },
    write: (value) => {
      const rows = Array.isArray(value) ? value : [value];
      if (rows.length === 0 || (rows.length === 1 && isBlank(rows[0]!))) {
        return null;
      }
      return JSON.stringify(isList ? rows.map(unwrap) : rows[0], null, 2);
    },
    example: JSON.stringify(isList ? [unwrap(sample)] : sample, null, 2),
  };
}

const SAMPLES: Record<string, unknown> = { INTEGER: 1, FLOAT: 1.5, BOOLEAN: true };

/** Whether the form shows all of a value. */
function fits(value: unknown, members: readonly ValueMember[]): value is Record<string, unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(
      ([name, each]) => members.some((member) => member.name === name) && typeof each !== "object",
    )
  );
}

const isBlank = (row: Record<string, unknown>) =>
  Object.values(row).every((value) => value === undefined || value === "");

/** A member whose text is missing or not of its type. */
export interface MemberError {
  /** The place among the rows of a list; 0 for an object. */
  row: number;
  name: string;
  text: string;
}

/** The error of a form whose fields show what is wrong with each. */
export const MARKED_FIELDS = "Correct the marked fields.";

/**
 * The value of a form for sending: without blank rows and members, and with numbers as the server reads them; or all
 * of its errors.
 */
export function checkStructure(
  field: StructuredField,
  text: string,
): { value: unknown } | { errors: MemberError[] } | undefined {
  const shape = structureOf(field);
  const read = shape?.read(text);
  if (!shape || read === undefined) {
    return undefined;
  }
  const rows: unknown[] = [];
  const errors: MemberError[] = [];
  for (const [index, row] of (Array.isArray(read) ? read : [read]).entries()) {
    if (shape.isList && isBlank(row)) {
      continue;
    }
    const checked = checkMembers(shape, row);
    errors.push(...checked.errors.map((error) => ({ row: index, ...error })));
    rows.push(shape.isSingle ? checked.values[ITEM] : checked.values);
  }
  return errors.length > 0 ? { errors } : { value: shape.isList ? rows : rows[0] };
}

function checkMembers({ members }: Structure, row: Record<string, unknown>) {
  const values: Record<string, unknown> = {};
  const errors: Omit<MemberError, "row">[] = [];
  for (const { name, type, required } of members) {
    const value = row[name];
    if (value === undefined || value === "") {
      if (required) {
        errors.push({ name, text: "Enter a value." });
      }
    } else if ((type === "INTEGER" || type === "FLOAT") && typeof value === "string") {
      const parsed = parseNumber(value, type === "INTEGER");
      if ("error" in parsed) {
        errors.push({ name, text: parsed.error });
      } else {
        values[name] = parsed.number;
      }
    } else {
      values[name] = value;
    }
  }
  return { values, errors };
}

/** The errors of a required form in which nothing was entered. */
export function blankErrors(field: StructuredField): MemberError[] {
  const shape = structureOf(field);
  return shape ? checkMembers(shape, {}).errors.map((error) => ({ row: 0, ...error })) : [];
}

/** An error with its place, for where the field itself is not shown. */
export function errorText(field: StructuredField, { row, name, text }: MemberError): string {
  const shape = structureOf(field);
  return [
    ...(shape?.isList ? [`Row ${row + 1}`] : []),
    ...(shape?.isSingle ? [] : [memberLabel(name)]),
    text,
  ].join(": ");
}
