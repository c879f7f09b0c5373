import { expect, test } from "vitest";
import { valueText, wordDiff } from "./wordDiff";

test("words that differ are marked on their side", () => {
  const [older, newer] = wordDiff("Travel to Graz for two days", "Travel to Linz for two days");
  expect(older.filter((part) => part.changed).map((part) => part.text)).toEqual(["Graz"]);
  expect(newer.filter((part) => part.changed).map((part) => part.text)).toEqual(["Linz"]);
  expect(older.map((part) => part.text).join("")).toBe("Travel to Graz for two days");
  expect(newer.map((part) => part.text).join("")).toBe("Travel to Linz for two days");
});

test("equal texts have no marks", () => {
  expect(wordDiff("same", "same")).toEqual([
    [{ text: "same", changed: false }],
    [{ text: "same", changed: false }],
  ]);
});

test("JSON is compared in lines, whatever its spacing", () => {
  expect(valueText('{"a":1}')).toBe(valueText({ a: 1 }));
  expect(valueText("12,5")).toBe("12,5");
  expect(valueText(undefined)).toBe("");
  expect([valueText(true), valueText(false)]).toEqual(["Yes", "No"]);
});
