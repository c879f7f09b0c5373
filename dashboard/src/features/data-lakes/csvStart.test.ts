import { expect, test } from "vitest";
import { csvStart, isUniform, unclosedQuote, unreadableLine } from "./csvStart";

test("the start of a file has the header, the rows and the likely types", () => {
  const text = "id,price,paid,day,note,empty\n1,4.5,true,2026-01-31,Tür,\n20,7,false,2026-02-01,,\n\n";
  const start = csvStart(text, true);
  expect(start.header).toEqual(["id", "price", "paid", "day", "note", "empty"]);
  expect(start.rows).toHaveLength(2);
  expect(start.types).toEqual(["whole number", "number", "yes/no", "date", "text", null]);
});

test("the last row of a longer file is left out, because it may be cut off", () => {
  expect(csvStart("a\n12\n3", false).rows).toEqual([["12"]]);
  expect(csvStart("a\n12\n3", true).rows).toEqual([["12"], ["3"]]);
  expect(csvStart("a,b", true).rows).toEqual([]);
});

test.each([
  ["a,b\n1,2\n", true],
  ["a;b\n1;2,5\n", true],
  ["a,b\n", true],
  ["Report,\na,b\n1,2\n", false],
  ["Report\n\na,b\n1,2\n", false],
  ["sep=;\na;b\n1;2\n", false],
  ["price\n12,5\n", false],
])("%j: the first rows are shown only if each row has a value for each name: %s", (text, shown) => {
  expect(isUniform(csvStart(text, true))).toBe(shown);
});

test.each([
  ['a,b\n1,"two\nlines"\n', null],
  ['a,b\n1,"say ""hi"""\n', null],
  ['a,b\n1,5" pipe\n', null],
  ['a,b\n1,2\n3,"four\n5,6\n', 3],
  ['\uFEFF"a,b\n', 1],
])("%j: a quotation mark that is never closed", (text, line) => {
  expect(unclosedQuote(text)).toBe(line);
});

test("bytes that are not UTF-8 are found with their line, but not a character that the preview cuts off", () => {
  const bytes = (...all: number[]) => new Uint8Array(all).buffer;
  expect(unreadableLine(new TextEncoder().encode("a\nTür").buffer, true)).toBeNull();
  expect(unreadableLine(bytes(97, 10, 74, 0xf6, 114, 103), true)).toBe(2);
  expect(unreadableLine(bytes(97, 10, 0xc3), false)).toBeNull();
  expect(unreadableLine(bytes(97, 10, 0xc3), true)).toBe(2);
});

test("values with leading zeros are texts", () => {
  const { types } = csvStart("code,share,rate\n0012,0,0.5\n0013,10,-1.5\n", true);
  expect(types).toEqual(["text", "whole number", "number"]);
  expect(csvStart("a,b,c,d\n1e5,TRUE,03/04/2026,12345678901234567890\n", true).types).toEqual(
    Array(4).fill("text"),
  );
});
