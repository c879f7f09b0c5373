import { expect, test } from "vitest";
import { diffLines, foldUnchanged } from "./diff";

/** One line each, as "-" removed, "+" added or " " same. */
const diff = (before: string[], after: string[]) =>
  diffLines(before.join("\n"), after.join("\n")).map(
    ({ kind, text }) => ({ same: " ", removed: "-", added: "+" })[kind] + text,
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
  expect(lines.map((line) => (line.kind === "folded" ? line.count : line.text))).toEqual([
    3,
    "line 3",
    "line 4",
    "new",
    "line 5",
    3,
  ]);
});
