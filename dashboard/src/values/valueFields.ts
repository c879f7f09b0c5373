import { parseNumber } from "./numberText";
import { checkStructure, MARKED_FIELDS, type ItemType, type ValueMember } from "./structures";

/** A field's input before it is parsed by its type. */
export type RawValue = string | boolean | null;

export interface ValueField {
  name: string;
  type: string;
  description: string;
  required: boolean;
  /** The allowed values, for a select. */
  choices?: string[];
  /** The type of the items of an ARRAY. */
  items?: ItemType | null;
  /** The members of an OBJECT. */
  properties?: readonly ValueMember[] | null;
}

/** The input that shows a value; the inverse of {@link parseValues}. */
export function rawOf(type: string, value: unknown): RawValue {
  if (value === null || value === undefined) {
    return null;
  }
  if (typeof value === "boolean") {
    return value;
  }
  if (type === "DATETIME" && typeof value === "string") {
    const at = new Date(value);
    return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  }
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/**
 * Parses the fields' input. Numbers go to the server as text, which keeps every digit. Empty fields are omitted, so
 * that the server reports the required ones.
 */
export function parseValues(fields: ValueField[], typed: Record<string, RawValue>) {
  const values: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  for (const field of fields) {
    const { name, type } = field;
    const raw = typed[name] ?? null;
    if (raw === null || raw === "") {
      continue;
    }
    if (typeof raw === "boolean") {
      values[name] = raw;
    } else if (type === "ARRAY" || type === "OBJECT") {
      const checked = checkStructure(field, raw);
      try {
        if (checked && "errors" in checked) {
          errors[name] = MARKED_FIELDS;
        } else {
          values[name] = checked ? checked.value : JSON.parse(raw);
        }
      } catch {
        errors[name] =
          type === "ARRAY"
            ? 'This isn’t valid JSON. Enter a list, e.g. ["a", "b"].'
            : 'This isn’t valid JSON. Enter an object, e.g. {"a": 1}.';
      }
    } else if (type === "INTEGER" || type === "FLOAT") {
      const parsed = parseNumber(raw, type === "INTEGER");
      if ("error" in parsed) {
        errors[name] = parsed.error;
      } else {
        values[name] = parsed.number;
      }
    } else if (type === "DATETIME") {
      values[name] = new Date(raw).toISOString();
    } else {
      values[name] = raw;
    }
  }
  return { values, errors };
}
