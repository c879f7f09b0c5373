import { expect, test } from "vitest";
import { inputTypeOf, typeLabel } from "./columnType";

test.each([
  ["UBIGINT", "INTEGER"],
  ["DECIMAL(18,3)", "FLOAT"],
  ["BOOLEAN", "BOOLEAN"],
  ["TIMESTAMP", "STRING"],
  ["VARCHAR", "STRING"],
  ["INTEGER[]", null],
  ["STRUCT(a INTEGER)", null],
  ["MAP(VARCHAR, INTEGER)", null],
])("%s maps to %s", (column, type) => {
  expect(inputTypeOf(column)).toBe(type);
});

test.each([
  ["BIGINT", "whole number"],
  ["DOUBLE", "number"],
  ["VARCHAR", "text"],
  ["DATE", "date"],
  ["TIMESTAMP WITH TIME ZONE", "date and time"],
  ["BOOLEAN", "yes/no"],
  ["VARCHAR[]", "list"],
  ["STRUCT(a INTEGER)", "structure"],
])("%s is called %s", (column, label) => {
  expect(typeLabel(column)).toBe(label);
});
