import { expect, test } from "vitest";
import { setSessionUser } from "../api";
import { formatCost, formatShare } from "./formatNumbers";

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

test("a cost has its currency and, when small, the digits that it needs", () => {
  setSessionUser({ cost_currency: "EUR" } as never);
  expect(formatCost(12_345_678)).toBe("€12.35");
  expect(formatCost(1_230)).toBe("€0.0012");
  setSessionUser(null);
  expect(formatCost(500_000)).toBe("$0.50");
});
