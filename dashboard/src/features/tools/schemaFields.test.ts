import { expect, test } from "vitest";
import { fieldsOf, withNumbers } from "./schemaFields";

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
    ["anything", "OBJECT"],
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
