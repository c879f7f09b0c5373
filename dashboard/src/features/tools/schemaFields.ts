import type { ValueField } from "../../components/valueFields";

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
      type: (given && TYPES[String(type)]) || "OBJECT",
      description: [plain.description, property.description].find((each) => typeof each === "string") ?? "",
      required: required.includes(name),
      choices: values.length > 0 ? values.map(String) : undefined,
    } as ValueField;
  });
}

/** Unwraps nullable schemas, which many libraries generate for optional properties. */
export function withoutNull(property: Schema): Schema {
  const alternatives = (property.anyOf ?? property.oneOf) as Schema[] | undefined;
  const nonNull = Array.isArray(alternatives) ? alternatives.filter((each) => each.type !== "null") : [];
  const schema = nonNull.length === 1 ? nonNull[0]! : property;
  return Array.isArray(schema.type)
    ? { ...schema, type: schema.type.find((each) => each !== "null") as unknown }
    : schema;
}

/** The values of an enum if all are strings or all are numbers. */
function choicesOf({ enum: values }: Schema): (string | number)[] {
  const found = Array.isArray(values) ? values.filter((each) => each !== null) : [];
  return ["string", "number"].some((kind) => found.every((each) => typeof each === kind))
    ? (found as (string | number)[])
    : [];
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
