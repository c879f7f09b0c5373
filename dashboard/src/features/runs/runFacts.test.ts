import { expect, test } from "vitest";
import { formatCost } from "../../components/formatNumbers";
import { formatDuration, shownDuration } from "../../components/Time";
import { difference } from "./RunFacts";

test("a difference that rounds to nothing is not shown", () => {
  expect(difference(100, 101, formatCost)).toBe("same");
  expect(difference(140, 160, formatCost)).toBe("+14%");
  expect(difference(100, 300, formatCost)).toBe(`+${formatCost(200)} (+200%)`);
  expect(difference(300, 300, formatCost)).toBe("same");
  expect(difference(null, 300, formatCost)).toBe("–");
});

test("the difference of two durations fits the shown ones", () => {
  const change = (older: number, newer: number) =>
    difference(shownDuration(older), shownDuration(newer), formatDuration);
  expect(change(5_149, 3_851)).toBe("−1.2 s (−24%)");
  expect(change(950, 950.4)).toBe("same");
  expect(change(950, 1_010)).toBe("+50 ms (+5%)");
  expect(change(61_900, 58_000)).toBe("−3.0 s (−5%)");
  expect(change(3_600_000, 7_259_000)).toBe("+1 h 0 min (+100%)");
});
