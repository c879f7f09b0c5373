import { expect, it } from "vitest";
import type { Schemas } from "../../api";
import { fromEntered, percentOf, toEntered } from "./budgetAmounts";

it("reads costs in units of the currency and tokens as they are", () => {
  expect(fromEntered("COST", 19.99)).toBe(19_990_000);
  expect(toEntered("COST", 19_990_000)).toBe(19.99);
  expect(fromEntered("TOKENS", 5000)).toBe(5000);
});

it("shows no more than all of a budget", () => {
  expect(percentOf({ limit: 200 } as Schemas["Budget"], 50)).toBe(25);
  expect(percentOf({ limit: 200 } as Schemas["Budget"], 500)).toBe(100);
});
