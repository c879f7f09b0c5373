import { expect, test } from "vitest";
import { countScale, durationScale, formatRoundDuration } from "./chartScale";

test.each([
  [0, "0, 1"],
  [Number.NaN, "0, 1"],
  [1, "0, 1"],
  [3, "0, 1, 2, 3"],
  [11, "0, 5, 10, 15"],
  [27, "0, 10, 20, 30"],
  [101, "0, 25, 50, 75, 100, 125"],
  [204, "0, 50, 100, 150, 200, 250"],
  [4_500, "0, 1000, 2000, 3000, 4000, 5000"],
])("the axis for %d has the lines %s", (value, lines) => {
  expect(countScale(value).lines.join(", ")).toBe(lines);
});

test.each([
  [57, "0, 20 ms, 40 ms, 60 ms"],
  [1_900, "0, 500 ms, 1000 ms, 1500 ms, 2000 ms"],
  [2_600, "0, 1 s, 2 s, 3 s"],
  [59_000, "0, 15 s, 30 s, 45 s, 60 s"],
  [81_000, "0, 30 s, 60 s, 90 s"],
  [430_000, "0, 2 min, 4 min, 6 min, 8 min"],
  [1_853_000, "0, 10 min, 20 min, 30 min, 40 min"],
  [4.1 * 3_600_000, "0, 1 h, 2 h, 3 h, 4 h, 5 h"],
  [50 * 3_600_000, "0, 12 h, 24 h, 36 h, 48 h, 60 h"],
  [300 * 3_600_000, "0, 100 h, 200 h, 300 h"],
])("the axis for %d milliseconds has the lines %s", (value, lines) => {
  const scale = durationScale(value);
  expect(scale.lines.map((each) => formatRoundDuration(each, scale.step)).join(", ")).toBe(lines);
});

test("a scale uses most of the height", () => {
  for (let value = 6; value < 10_000; value++) {
    expect(value / countScale(value).lines.at(-1)!).toBeGreaterThan(0.6);
  }
});
