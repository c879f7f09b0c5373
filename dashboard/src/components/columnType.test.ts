import { expect, test } from "vitest";
import { inputTypeOf } from "./columnType";

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
