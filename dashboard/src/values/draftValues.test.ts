import { expect, test } from "vitest";
import { copyText, hasValues, readDraftValues } from "./draftValues";

const FORM = ["approved", "note"].map((name) => ({ name, type: "STRING", description: "", required: true }));

test.each([
  ['{"approved":true,"note":"Fine"}', { approved: true, note: "Fine" }],
  ['{"approved":null,"note":1,"other":"x"}', {}],
  ["", {}],
  ["null", {}],
  ["{", {}],
])("the stored draft %s gives %j", (text, values) => {
  expect(readDraftValues(text, FORM)).toEqual(values);
});

test("empty fields are no draft", () => {
  expect(hasValues({ approved: null, note: "" })).toBe(false);
  expect(hasValues({ approved: false })).toBe(true);
});

test("entries are copied as lines", () => {
  expect(copyText({ approved: false, note: "Fine", other: "" })).toBe("approved: false\nnote: Fine");
});
