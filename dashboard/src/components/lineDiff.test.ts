import { expect, test } from "vitest";
import { diffLines, foldUnchanged } from "./lineDiff";

/** One line each, as "-" removed, "+" added or " " same. */
const diff = (before: string[], after: string[]) =>
  diffLines(before.join("\n"), after.join("\n")).map(
    ({ kind, parts }) =>
      ({ same: " ", removed: "-", added: "+" })[kind] + parts.map(({ text }) => text).join(""),
  );

test("equal texts have only common lines", () => {
  expect(diff(["a", "b"], ["a", "b"])).toEqual([" a", " b"]);
});

test("a changed line is removed and added", () => {
  expect(diff(["a", "b", "c"], ["a", "B", "c"])).toEqual([" a", "-b", "+B", " c"]);
});

test("lines are added and removed at the ends and in the middle", () => {
  expect(diff(["b", "c", "d", "e"], ["a", "b", "d", "e", "f"])).toEqual(["+a", " b", "-c", " d", " e", "+f"]);
});

test("the first and the last line compare like every other line", () => {
  expect(diff(["{", "}"], ["{", '  "a": 1', "}"])).toEqual([" {", '+  "a": 1', " }"]);
  expect(diff(["a"], ["a", "b"])).toEqual([" a", "+b"]);
  expect(diff(["a", "b"], ["a"])).toEqual([" a", "-b"]);
});

test("a line break at the end begins no line", () => {
  expect(diff(["a", ""], ["a", "b"])).toEqual([" a", "+b"]);
});

test("the difference is as short as possible", () => {
  const before = Array.from({ length: 400 }, (_, index) => `line ${index}`);
  const after = before.filter((_, index) => index % 10 !== 3);
  const lines = diff(before, after);
  expect(lines.filter((line) => line.startsWith("-"))).toHaveLength(40);
  expect(lines.filter((line) => line.startsWith("+"))).toHaveLength(0);
});

test("two large texts without a common line compare quickly", () => {
  const many = (name: string) => Array.from({ length: 5_000 }, (_, index) => `${name} ${index}`);
  expect(diff(many("before"), many("after"))).toHaveLength(10_000);
});

test("unchanged lines away from a change are folded", () => {
  const before = Array.from({ length: 9 }, (_, index) => `line ${index}`);
  const lines = foldUnchanged(diffLines(before.join("\n"), before.with(4, "new").join("\n")), 1);
  expect(lines.map((line) => (line.kind === "folded" ? line.count : line.parts[0]!.text))).toEqual([
    3,
    "line 3",
    "line 4",
    "new",
    "line 5",
    3,
  ]);
});

/** The lines with their changed words in brackets. */
const marked = (before: string | null, after: string | null) =>
  diffLines(before, after).map(({ parts }) =>
    parts.map(({ text, changed }) => (changed && text !== "" ? `[${text}]` : text)).join(""),
  );

test("the words that changed within a line are marked", () => {
  expect(marked("Keep.\nGreet the person kindly.", "Keep.\nGreet the customer kindly.")).toEqual([
    "Keep.",
    "Greet the [person] kindly.",
    "Greet the [customer] kindly.",
  ]);
});

test("changed words are found although a line was split in two", () => {
  expect(marked("one two three four", "one two\nthree five")).toEqual([
    "one two[ ]three [four]",
    "one two",
    "three [five]",
  ]);
});

test("lines with little in common, and those of one text only, have no marks", () => {
  expect(marked("Approve the invoice.", "const total = 5;")).toEqual([
    "Approve the invoice.",
    "const total = 5;",
  ]);
  expect(marked(null, "a\nb")).toEqual(["a", "b"]);
  expect(marked("a", null)).toEqual(["a"]);
});
