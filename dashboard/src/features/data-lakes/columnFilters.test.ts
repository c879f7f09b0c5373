import { expect, test } from "vitest";
import { comparisonsOf, describeFilter, parseValue, readFilters, writeFilters } from "./columnFilters";

test("offers the comparisons that suit the type", () => {
  const words = (type: string) => comparisonsOf(type).operators.map(({ label }) => label);
  expect(words("VARCHAR").slice(0, 2)).toEqual(["contains", "is"]);
  expect(words("DOUBLE")).toContain("≥");
  expect(words("TIMESTAMP WITH TIME ZONE")).toContain("before");
  expect(words("BOOLEAN")).toEqual(["is", "is empty", "is not empty"]);
  expect(words("VARCHAR[]")).toEqual(["contains", "is empty", "is not empty"]);
});

test("describes a filter in words", () => {
  expect(describeFilter({ column: "amount", op: ">=", value: "100" }, "DOUBLE")).toBe("amount ≥ 100");
  expect(describeFilter({ column: "paid", op: "=", value: "false" }, "BOOLEAN")).toBe("paid is No");
  expect(describeFilter({ column: "note", op: "is_null" }, "VARCHAR")).toBe("note is empty");
});

test("checks a value by the type of the column", () => {
  expect(parseValue("abc", "DOUBLE")).toEqual({ error: expect.stringMatching(/^Enter a number/) as string });
  expect(parseValue(" 12.5 ", "DOUBLE")).toEqual({ value: "12.5" });
  expect(parseValue("", "BIGINT")).toEqual({ error: expect.stringMatching(/^Enter a number/) as string });
  expect(parseValue("", "DATE")).toEqual({ error: "Choose a date." });
  expect(parseValue("abc", "VARCHAR")).toEqual({ value: "abc" });
});

test("keeps filters in the address", () => {
  const filters = [{ column: "a", op: "=", value: "1" }];
  expect(readFilters(writeFilters(filters) ?? undefined)).toEqual(filters);
  expect(writeFilters([])).toBeNull();
  expect(readFilters("{")).toEqual([]);
});
