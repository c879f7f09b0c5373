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
    const type = Array.isArray(property.type) ? property.type.find((each) => each !== "null") : property.type;
    return {
      name,
      type: TYPES[String(type)] ?? "OBJECT",
      description: typeof property.description === "string" ? property.description : "",
      required: required.includes(name),
    };
  });
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
