import { expect, test } from "vitest";
import { formatRoundDuration, gridLines, roundUpDuration, roundUpToNice } from "./chartScale";

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

test.each([
  [57, "0 ms, 30 ms, 60 ms"],
  [1_900, "0 ms, 1 s, 2 s"],
  [59_000, "0 ms, 30 s, 1 min"],
  [81_000, "0 ms, 1 min, 2 min"],
  [430_000, "0 ms, 5 min, 10 min"],
  [1_853_000, "0 ms, 30 min, 1 h"],
  [12 * 3_600_000 + 1, "0 ms, 10 h, 20 h"],
  [50 * 3_600_000, "0 ms, 30 h, 60 h"],
])("the axis for %d milliseconds has the lines %s", (value, lines) => {
  expect(gridLines(roundUpDuration(value)).map(formatRoundDuration).join(", ")).toBe(lines);
});

test("a line halves the chart, except for counts up to 1", () => {
  expect(gridLines(1)).toEqual([0, 1]);
  expect(gridLines(40)).toEqual([0, 20, 40]);
});
