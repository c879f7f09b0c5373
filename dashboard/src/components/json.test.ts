import { expect, test } from "vitest";
import { formattedJson } from "./json";

test("breaks the lines of JSON only", () => {
  expect(formattedJson('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(formattedJson("event: x")).toBe("event: x");
});
