import { expect, test } from "vitest";
import { parseValues, type RawValue } from "./valueFields";

const parse = (type: string, raw: RawValue) =>
  parseValues([{ name: "value", type, description: "", required: true }], { value: raw });

test.each<[string, RawValue, unknown]>([
  ["STRING", "Graz", "Graz"],
  ["INTEGER", "12345678901234567890", "12345678901234567890"],
  ["BOOLEAN", false, false],
  ["ARRAY", '["a", 1]', ["a", 1]],
  ["OBJECT", '{"a": 1}', { a: 1 }],
])("%s: %j becomes %j", (type, raw, value) => {
  expect(parse(type, raw)).toEqual({ values: { value }, errors: {} });
});

test("a local date and time is sent in UTC", () => {
  const { values } = parse("DATETIME", "2026-03-01T12:30");
  expect(values.value).toBe(new Date(2026, 2, 1, 12, 30).toISOString());
});

test.each(["", null])("the empty field %j is omitted", (raw) => {
  expect(parse("STRING", raw)).toEqual({ values: {}, errors: {} });
});

test.each(["ARRAY", "OBJECT"])("invalid JSON in %s is an error of the field", (type) => {
  expect(parse(type, "[1,")).toEqual({ values: {}, errors: { value: expect.stringContaining("JSON") } });
});
