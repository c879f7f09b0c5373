import { expect, test } from "vitest";
import { turnOf } from "./flowElements";

const box = (x: number, y: number, height = 100) => ({ x, y, width: 220, height });

test("an edge to the next row runs through the gap between the rows", () => {
  const [a, b, c] = [box(0, 0), box(272, 0, 160), box(0, 224)];
  expect(turnOf([a, b, c], b, c)).toBe(192);
});

test("an edge to the right needs no turn", () => {
  expect(turnOf([box(0, 0), box(272, 0)], box(0, 0), box(272, 0))).toBeUndefined();
  expect(turnOf([], undefined, box(0, 0))).toBeUndefined();
});
