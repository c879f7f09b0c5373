import { expect, test } from "vitest";
import { gridLines, roundUpToNice } from "./chartScale";

test.each([
  [0, 1],
  [Number.NaN, 1],
  [1, 1],
  [3, 4],
  [4.1, 6],
  [99, 100],
  [101, 200],
  [4_500_000, 6_000_000],
])("the axis for %d ends at %d", (value, top) => {
  expect(roundUpToNice(value)).toBe(top);
});

test("a line halves the chart, except for counts up to 1", () => {
  expect(gridLines(1)).toEqual([0, 1]);
  expect(gridLines(40)).toEqual([0, 20, 40]);
});
