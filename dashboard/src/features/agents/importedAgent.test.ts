import { expect, it } from "vitest";
import { freeName, parseAgent } from "./importedAgent";

it("numbers a name that exists already", () => {
  expect(freeName("Claim", [])).toBe("Claim");
  expect(freeName("Claim", ["Claim", "Claim (2)"])).toBe("Claim (3)");
  expect(freeName("x".repeat(200), ["x".repeat(200)])).toBe(`${"x".repeat(196)} (2)`);
});

it("explains why a file is not an agent", () => {
  expect(parseAgent("a.json", '{"name": "Claim"}')).toEqual({ name: "Claim" });
  expect(() => parseAgent("a.json", "{")).toThrow("a.json isn’t valid JSON");
  expect(() => parseAgent("a.json", "[]")).toThrow("a.json must contain a JSON object.");
});
