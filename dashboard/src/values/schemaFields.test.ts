import { expect, test } from "vitest";
import { fieldsOf, parseArguments, withNumbers } from "./schemaFields";

test("each property of a schema becomes a field", () => {
  const fields = fieldsOf({
    type: "object",
    required: ["city"],
    properties: {
      city: { type: "string", description: "The city" },
      days: { anyOf: [{ type: "integer" }, { type: "null" }], description: "How long" },
      price: { type: ["null", "number"] },
      size: { enum: ["small", "large"] },
      grade: { enum: [1, 2, null] },
      mixed: { type: "string", enum: ["a", 1] },
      address: { type: "object" },
      anything: {},
      choice: { oneOf: [{ type: "string" }, { type: "object" }] },
      to: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
      tags: { type: ["array", "string", "null"] },
      id: { anyOf: [{ type: "integer" }, { type: "string" }] },
      headers: { type: "object", additionalProperties: { type: ["string", "number"] } },
    },
  });
  expect(fields.map(({ name, type }) => [name, type])).toEqual([
    ["city", "STRING"],
    ["days", "INTEGER"],
    ["price", "FLOAT"],
    ["size", "STRING"],
    ["grade", "FLOAT"],
    ["mixed", "STRING"],
    ["address", "OBJECT"],
    ["anything", "ANY"],
    ["choice", "ANY"],
    ["to", "TEXT_OR_LIST"],
    ["tags", "TEXT_OR_LIST"],
    ["id", "STRING"],
    ["headers", "PAIRS"],
  ]);
  const [city, days, , size, grade, mixed] = fields;
  expect(city).toMatchObject({ description: "The city", required: true });
  expect(days).toMatchObject({ description: "How long", required: false });
  expect([size?.choices, grade?.choices, mixed?.choices]).toEqual([
    ["small", "large"],
    ["1", "2"],
    undefined,
  ]);
});

test("a schema without properties has no fields", () => {
  expect(fieldsOf({})).toEqual([]);
});

test("a field without a type takes text or JSON, and pairs become an object", () => {
  const fields = fieldsOf({
    properties: { body: {}, headers: { type: "object", additionalProperties: { type: "string" } } },
  });
  const headers = JSON.stringify([
    ["X-Tenant ", "7"],
    ["", "unnamed"],
  ]);
  expect(parseArguments(fields, { body: "7", headers }, {}).values).toEqual({
    body: "7",
    headers: { "X-Tenant": "7" },
  });
  expect(parseArguments(fields, { body: '{"a": 1}' }, { body: true }).values).toEqual({ body: { a: 1 } });
  expect(Object.keys(parseArguments(fields, { body: "{" }, { body: true }).errors)).toEqual(["body"]);
});

test("a field for a text or a list takes a JSON array, and any other text as it is", () => {
  const fields = fieldsOf({ properties: { to: { type: ["string", "array"] } } });
  const value = (to: string) => parseArguments(fields, { to }, {}).values.to;
  expect(value("boss@example.com")).toBe("boss@example.com");
  expect(value('["a@example.com", "b@example.com"]')).toEqual(["a@example.com", "b@example.com"]);
  expect(value('["a@example.com"')).toBe('["a@example.com"');
});

test("only numeric text of number fields becomes a number", () => {
  const field = (name: string, type: string) => ({ name, type, description: "", required: false });
  const fields = [field("days", "INTEGER"), field("price", "FLOAT"), field("zip", "STRING")];
  expect(withNumbers(fields, { days: "3", price: "a lot", zip: "8010", other: "1" })).toEqual({
    days: 3,
    price: "a lot",
    zip: "8010",
    other: "1",
  });
});
