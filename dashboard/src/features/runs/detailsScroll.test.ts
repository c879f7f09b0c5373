import { expect, test } from "vitest";
import { detailsScroll } from "./detailsScroll";

const VIEW = { top: 56, bottom: 900 };

test("details that are visible do not move", () => {
  expect(detailsScroll({ top: 200, bottom: 500 }, { top: 800, bottom: 880 }, VIEW)).toBe(0);
});

test("details stay where the graph is below the header", () => {
  expect(detailsScroll({ top: 68, bottom: 428 }, { top: 488, bottom: 1_400 }, VIEW)).toBe(0);
});

test("details of which only the beginning is visible move up with the graph", () => {
  expect(detailsScroll({ top: 200, bottom: 560 }, { top: 620, bottom: 1_400 }, VIEW)).toBe(132);
});

test("details below the window scroll into view, as far as the graph stays visible", () => {
  // All of the details.
  expect(detailsScroll({ top: 400, bottom: 760 }, { top: 820, bottom: 1_100 }, VIEW)).toBe(212);
  // No more than up to the header.
  expect(detailsScroll({ top: 300, bottom: 760 }, { top: 820, bottom: 2_000 }, VIEW)).toBe(232);
});

test("in a low window, the beginning of the details comes before the graph", () => {
  expect(
    detailsScroll({ top: 300, bottom: 860 }, { top: 920, bottom: 2_000 }, { top: 56, bottom: 700 }),
  ).toBe(432);
});
