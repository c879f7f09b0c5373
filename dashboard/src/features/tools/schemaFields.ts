import type { TypedField } from "../../parts/typed";

const TYPES: Record<string, string> = {
  string: "STRING",
  integer: "INTEGER",
  number: "FLOAT",
  boolean: "BOOLEAN",
  array: "ARRAY",
};

type Schema = Record<string, unknown>;

/** Fields for the top-level properties of a JSON schema; what has no simple type is written as JSON. */
export function fieldsOf(schema: Schema): TypedField[] {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  return Object.entries(properties).map(([name, property]) => {
    const plain = withoutNull(property);
    const values = choicesOf(plain);
    const type = plain.type ?? (values.every((each) => typeof each === "string") ? "string" : "number");
    const given = plain.type !== undefined || values.length > 0;
    return {
      name,
      type: (given && TYPES[String(type)]) || "OBJECT",
      description: [plain.description, property.description].find((each) => typeof each === "string") ?? "",
      required: required.includes(name),
      choices: values.length > 0 ? values.map(String) : undefined,
    } as TypedField;
  });
}

/** "This or nothing" is how libraries write what is optional; the field left empty is the nothing. */
function withoutNull(property: Schema): Schema {
  const ways = (property.anyOf ?? property.oneOf) as Schema[] | undefined;
  const left = Array.isArray(ways) ? ways.filter((each) => each.type !== "null") : [];
  const schema = left.length === 1 ? left[0]! : property;
  return Array.isArray(schema.type)
    ? { ...schema, type: schema.type.find((each) => each !== "null") as unknown }
    : schema;
}

/** The values of an enumeration, where all are texts or all are numbers. */
function choicesOf({ enum: values }: Schema): (string | number)[] {
  const found = Array.isArray(values) ? values.filter((each) => each !== null) : [];
  return ["string", "number"].some((kind) => found.every((each) => typeof each === kind))
    ? (found as (string | number)[])
    : [];
}

/** A tool's schema wants numbers, not text that can be read as such. What is no number goes as it was typed. */
export function withNumbers(fields: TypedField[], values: Record<string, unknown>): Record<string, unknown> {
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
