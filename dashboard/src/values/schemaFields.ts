import { parsedJson } from "../components/json";
import { parseValues, type RawValue, type ValueField } from "./valueFields";

/** The type of a field that accepts a text as well as any JSON. */
export const ANY = "ANY";
/** The type of a field for an object with any names and texts as values, such as headers. */
export const PAIRS = "PAIRS";
/** The type of a field that accepts a text as well as a list, which is written as a JSON array. */
export const TEXT_OR_LIST = "TEXT_OR_LIST";

const TYPES: Record<string, string> = {
  string: "STRING",
  integer: "INTEGER",
  number: "FLOAT",
  boolean: "BOOLEAN",
  array: "ARRAY",
};

type Schema = Record<string, unknown>;

/** Converts the top-level properties of a JSON schema to fields; complex types become JSON fields. */
export function fieldsOf(schema: Schema): ValueField[] {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  return Object.entries(properties).map(([name, property]) => {
    const plain = withoutNull(property);
    const values = choicesOf(plain);
    const type = plain.type ?? (values.every((each) => typeof each === "string") ? "string" : "number");
    const given = plain.type !== undefined || values.length > 0;
    return {
      name,
      type: hasTextsByName(plain)
        ? PAIRS
        : (typeOfMixed(property) ??
          (given ? (TYPES[String(type)] ?? "OBJECT") : isStructured(plain) ? "OBJECT" : ANY)),
      description: [plain.description, property.description].find((each) => typeof each === "string") ?? "",
      required: required.includes(name),
      choices: values.length > 0 ? values.map(String) : undefined,
    } as ValueField;
  });
}

/** The type of a field that accepts a text among others; null for any other field. */
function typeOfMixed({ type, anyOf, oneOf }: Schema): string | null {
  const alternatives = (anyOf ?? oneOf) as Schema[] | undefined;
  const types = Array.isArray(alternatives) ? alternatives.flatMap((each) => each.type) : [type].flat();
  return !types.includes("string")
    ? null
    : types.includes("object")
      ? ANY
      : types.includes("array")
        ? TEXT_OR_LIST
        : "STRING";
}

/** Reads a JSON array; undefined for any other text. */
export function listIn(text: string): unknown[] | undefined {
  const value = parsedJson(text);
  return Array.isArray(value) ? value : undefined;
}

/** Whether the schema describes an object that has any names, with texts as values. */
function hasTextsByName({ type, properties, additionalProperties: values }: Schema): boolean {
  const types = (values as Schema | undefined)?.type;
  return type === "object" && properties === undefined && [types].flat().includes("string");
}

/** Whether a schema without a type has keywords that make it more than any value. */
const isStructured = (schema: Schema) =>
  ["properties", "items", "anyOf", "oneOf", "allOf", "const", "not"].some((keyword) => keyword in schema);

/** Unwraps nullable schemas, which many libraries generate for optional properties. */
export function withoutNull(property: Schema): Schema {
  const alternatives = (property.anyOf ?? property.oneOf) as Schema[] | undefined;
  const nonNull = Array.isArray(alternatives) ? alternatives.filter((each) => each.type !== "null") : [];
  const schema = nonNull.length === 1 ? nonNull[0]! : property;
  return Array.isArray(schema.type)
    ? { ...schema, type: schema.type.includes("string") ? "string" : nonNullOf(schema.type) }
    : schema;
}

const nonNullOf = (types: unknown[]) => types.find((each) => each !== "null");

/** The values of an enum if all are strings or all are numbers. */
function choicesOf({ enum: values }: Schema): (string | number)[] {
  const found = Array.isArray(values) ? values.filter((each) => each !== null) : [];
  return ["string", "number"].some((kind) => found.every((each) => typeof each === kind))
    ? (found as (string | number)[])
    : [];
}

/** The raw value of a PAIRS field. */
export type Pair = [name: string, value: string];

export const pairsOf = (raw: RawValue): Pair[] =>
  typeof raw === "string" && raw !== "" ? (JSON.parse(raw) as Pair[]) : [];

/**
 * Parses the fields' input to arguments.
 *
 * @param asJson the ANY fields whose input is JSON; that of the others is text
 */
export function parseArguments(
  fields: ValueField[],
  typed: Record<string, RawValue>,
  asJson: Record<string, boolean>,
) {
  const plain = fields
    .filter(({ type }) => type !== PAIRS)
    .map((field) =>
      field.type === ANY ? { ...field, type: asJson[field.name] ? "OBJECT" : "STRING" } : field,
    );
  const { values, errors } = parseValues(plain, typed);
  for (const { name } of fields.filter(({ type }) => type === TEXT_OR_LIST)) {
    const value = values[name];
    if (typeof value === "string") {
      values[name] = listIn(value) ?? value;
    }
  }
  for (const { name } of fields.filter(({ type }) => type === PAIRS)) {
    const pairs = pairsOf(typed[name] ?? null).filter(([key]) => key.trim() !== "");
    if (pairs.length > 0) {
      values[name] = Object.fromEntries(pairs.map(([key, value]) => [key.trim(), value]));
    }
  }
  return { values: withNumbers(fields, values), errors };
}

/** Converts numeric text to numbers, as tool schemas require; other text stays as typed. */
export function withNumbers(fields: ValueField[], values: Record<string, unknown>): Record<string, unknown> {
  const result = { ...values };
  for (const { name, type } of fields) {
    const value = result[name];
    if (
      (type === "INTEGER" || type === "FLOAT") &&
      typeof value === "string" &&
      Number.isFinite(Number(value))
    ) {
      result[name] = Number(value);
    }
  }
  return result;
}
