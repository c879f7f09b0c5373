import { expect, test } from "vitest";
import { turnOf } from "./flowElements";

const box = (x: number, y: number, height = 100) => ({ x, y, width: 220, height });

test("an edge to the next row runs through the gap between the rows", () => {
  const [a, b, c] = [box(0, 0), box(272, 0, 160), box(0, 224)];
  expect(turnOf([a, b, c], b, c)).toBe(192);
});

test("an edge runs around tasks that leave no gap between the rows", () => {
  const [a, b, c] = [box(0, 0), box(272, 0, 210), box(0, 156)];
  expect(turnOf([a, b, c], b, c)).toBe(270);
  // A task below is in the way.
  expect(turnOf([a, b, c, box(0, 260)], b, c)).toBe(-14);
});

test("an edge to the right needs no turn", () => {
  expect(turnOf([box(0, 0), box(272, 0)], box(0, 0), box(272, 0))).toBeUndefined();
  expect(turnOf([], undefined, box(0, 0))).toBeUndefined();
});
