import { expect, test } from "vitest";
import { fractionDigits } from "./fractionDigits";

test.each([
  [[37.35, 74.7, null], 2],
  [[1, 2], 0],
  [[0.123456789, 1], 4],
  [[1e-7, "a"], 0],
  [[], 0],
])("numbers %j of a column have %i fraction digits", (values, digits) => {
  expect(fractionDigits(values)).toBe(digits);
});
