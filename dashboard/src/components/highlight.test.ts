import { expect, test } from "vitest";
import { aroundMatch, highlightParts } from "./highlight";

test("words that were searched for are parts of their own, in any case and order", () => {
  expect(highlightParts("Refund of 40 EUR (refunds)", "eur refund")).toEqual([
    ["Refund", true],
    [" of 40 ", false],
    ["EUR", true],
    [" (", false],
    ["refund", true],
    ["s)", false],
  ]);
  expect(highlightParts("a.b", ".")).toEqual([
    ["a", false],
    [".", true],
    ["b", false],
  ]);
  expect(highlightParts("Overview", " ")).toEqual([["Overview", false]]);
});

test("a long text begins shortly before the first match", () => {
  const text = "request: My lamp is broken and I want my money back for the lamp";
  expect(aroundMatch(text, "money")).toBe("…broken and I want my money back for the lamp");
  expect(aroundMatch(text, "lamp")).toBe(text);
  expect(aroundMatch(text, "absent")).toBe(text);
});
