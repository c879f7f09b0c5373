import { expect, test } from "vitest";
import { parseNumber } from "./numberText";

test.each([
  ["12,5", "de", "12.5"],
  ["12,5", "en", "12.5"],
  ["12.5", "de", "12.5"],
  ["-1.234,5", "de", "-1234.5"],
  ["1,234.5", "en", "1234.5"],
  ["1 234,5", "fr", "1234.5"],
  ["1’234.5", "de-CH", "1234.5"],
  ["1.234.567", "de", "1234567"],
  ["0.125", "de", "0.125"],
  ["1,234", "de", "1.234"],
  ["1.5e-3", "en", "1.5e-3"],
  ["+7", "en", "7"],
  ["12345678901234567890.12345", "en", "12345678901234567890.12345"],
])("%j in %s is %s", (typed, locale, number) => {
  expect(parseNumber(typed, false, locale)).toEqual({ number });
});

test.each([
  ["1,234", "en", "This could be 1234 or 1.234."],
  ["1.234", "de", "This could be 1234 or 1,234."],
  ["twelve", "en", "Enter a number, e.g. 12.5."],
  ["12,", "de", "Enter a number, e.g. 12,5."],
  ["1,2,3", "en", "Enter a number, e.g. 12.5."],
  ["1.2.3,4", "de", "Enter a number, e.g. 12,5."],
  ["NaN", "en", "Enter a number, e.g. 12.5."],
])("%j in %s is refused: %s", (typed, locale, error) => {
  expect(parseNumber(typed, false, locale)).toEqual({ error: expect.stringContaining(error) });
});

test.each([
  ["1,234", "1234"],
  ["-12", "-12"],
  ["1,234,567", "1234567"],
])("the whole number %j is %s", (typed, number) => {
  expect(parseNumber(typed, true, "en")).toEqual({ number });
});

test.each(["12.5", "12,5", "1.234", "1e3", "1,234.5"])("%j is not a whole number", (typed) => {
  expect(parseNumber(typed, true, "en")).toEqual({ error: "Enter a whole number, e.g. 12." });
});
