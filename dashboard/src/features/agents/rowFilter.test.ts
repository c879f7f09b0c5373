import { describe, expect, test } from "vitest";
import type { RowFilter } from "../../graph/document";
import { filterOf, groupOf, readValue, writtenValue, type FormGroup } from "./rowFilter";

const one = { column: "city", op: "=", value: "Graz" } satisfies RowFilter;
const two = { column: "days", op: ">", value: 2 } satisfies RowFilter;

test.each<[string, RowFilter, FormGroup["join"]]>([
  ["a condition", one, "all"],
  ["all", { all: [one, two] }, "all"],
  ["any with one condition", { any: [one] }, "any"],
  ["not all with one condition", { not: { all: [one] } }, "not_all"],
  ["a double negation", { not: { not: one } }, "none"],
  ["all with one group", { all: [{ any: [one] }] }, "all"],
  ["any", { any: [one, two] }, "any"],
  ["not all", { not: { all: [one, two] } }, "not_all"],
  ["none", { not: { any: [one, two] } }, "none"],
  ["a negated condition", { not: one }, "none"],
  ["nested groups", { any: [one, { not: { all: [two, { any: [one] }] } }] }, "any"],
])("the form keeps %s", (_, filter, join) => {
  const group = groupOf(filter, "/filter");
  expect(group?.join).toBe(join);
  expect(filterOf(group!)).toEqual(filter);
});

test("a group of one negated condition is simplified", () => {
  expect(filterOf(groupOf({ not: { any: [one] } }, "/filter")!)).toEqual({ not: one });
});

test("an empty group removes the filter", () => {
  expect(filterOf(groupOf(undefined, "/filter")!)).toBeUndefined();
  expect(filterOf(groupOf(null, "/filter")!)).toBeUndefined();
});

test.each<[string, unknown]>([
  ["text", "city = Graz"],
  ["a number", 3],
  ["a negated list", { not: [one] }],
  ["no operator", {}],
  ["two operators", { all: [one], any: [two] }],
  ["a list that is none", { all: one }],
  ["an invalid part", { any: [one, null] }],
])("the form does not show %s", (_, filter) => {
  expect(groupOf(filter as RowFilter, "/filter")).toBeNull();
});

test("parts know where their issues are", () => {
  const group = groupOf({ not: { any: [one] } }, "/filter");
  expect(group?.at).toEqual(["/filter", "/filter/not", "/filter/not/any"]);
  expect(group?.parts[0]?.at).toContain("/filter/not/any/0/value");
});

describe("values", () => {
  test.each<[string, Parameters<typeof readValue>[1], string, unknown]>([
    ["5", "=", "BIGINT", 5],
    ["12345678901234567890", "=", "BIGINT", "12345678901234567890"],
    ["1.5", "<", "DECIMAL(18,2)", 1.5],
    ["many", "<", "INTEGER", "many"],
    ["3", "contains", "VARCHAR", "3"],
    ["TRUE", "=", "BOOLEAN", true],
    ["1, 2,,3", "in", "INTEGER", [1, 2, 3]],
    [" a ", "contains", "VARCHAR", " a "],
    [" a ", "=", "VARCHAR", "a"],
  ])("%j with %s on %s is %j", (text, op, type, value) => {
    expect(readValue(text, op, type)).toEqual(value);
  });

  test.each<[unknown, string]>([
    [[1, "a"], "1, a"],
    [null, ""],
    [undefined, ""],
    [false, "false"],
  ])("%j is written as %j", (value, text) => {
    expect(writtenValue(value)).toBe(text);
  });
});
