import { expect, test } from "vitest";
import { change } from "./change";

test.each([
  [112, 100, "+12%"],
  [60, 100, "−40%"],
  [0, 5, "−100%"],
  [800, 100, "×8"],
  [1000, 1001, "No change"],
  [5, 0, null],
  [null, 5, null],
  [5, null, null],
])("%d after %d is %s", (now, before, text) => {
  expect(change(now, before)).toBe(text);
});
