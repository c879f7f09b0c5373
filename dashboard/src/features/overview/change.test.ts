import { expect, test } from "vitest";
import { change } from "./change";

test.each([
  [112, 100, "+12%"],
  [60, 100, "−40%"],
  [0, 5, "−100%"],
  [800, 100, "×8"],
  [1000, 1001, "No change"],
  [5, 0, "0 before"],
  [0, 0, "0 before"],
  [null, 5, undefined],
  [5, null, "None before"],
])("%d after %d is %s", (now, before, text) => {
  expect(change(now, before)?.text).toBe(text);
});

test.each([
  [5, 0, "less", "bad"],
  [2, 4, "less", "good"],
  [4, 4, "less", "neutral"],
  [4, 2, "more", "good"],
  [2, 4, "more", "bad"],
  [4, 2, undefined, "neutral"],
] as const)("%d after %d, with %s being better, is %s", (now, before, better, tone) => {
  expect(change(now, before, better)?.tone).toBe(tone);
});
