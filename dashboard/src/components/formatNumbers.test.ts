import { expect, test } from "vitest";
import { formatShare } from "./formatNumbers";

test.each([
  [5, 9, "56%"],
  [1, 3, "33%"],
  [1999, 2000, "99%"],
  [1, 2000, "1%"],
  [7, 7, "100%"],
  [0, 7, "0%"],
])("%d of %d are %s", (part, all, text) => {
  expect(formatShare(part, all)).toBe(text);
});
