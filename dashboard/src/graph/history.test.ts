import { expect, test } from "vitest";
import { historyOf, record, redo, undo, type History } from "./history";

const type = (start: History<string>, text: string, key: string | null, at: number) =>
  [...text].reduce(
    (history, letter, index) => record(history, history.present + letter, key, at + index),
    start,
  );

test("a burst of typing in one field is one step, a pause or another field starts the next", () => {
  const first = type(historyOf(""), "Hello", "name", 0);
  expect(undo(first).present).toBe("");
  const paused = type(first, "!", "name", 10_000);
  const other = type(paused, "?", "description", 10_001);
  expect([other, undo(other), undo(undo(other))].map((each) => each.present)).toEqual([
    "Hello!?",
    "Hello!",
    "Hello",
  ]);
});

test("edits without a key never join", () => {
  const history = type(historyOf(""), "ab", null, 0);
  expect(undo(history).present).toBe("a");
});

test("redo returns to the state before undo, until the next edit", () => {
  const history = undo(type(historyOf(""), "ab", null, 0));
  expect(redo(history).present).toBe("ab");
  expect(redo(record(history, "x", null, 0)).present).toBe("x");
});

test("an edit after an undo is a step of its own", () => {
  const undone = undo(type(historyOf(""), "ab", "name", 0));
  const again = type(undone, "c", "name", 3);
  expect(undo(again).present).toBe("");
});

test("a hundred steps are kept, and an unchanged state is none", () => {
  let history = historyOf(0);
  for (let count = 1; count <= 150; count++) {
    history = record(history, count, null, count);
  }
  expect(record(history, 150, null, 0)).toBe(history);
  for (let count = 0; count < 200; count++) {
    history = undo(history);
  }
  expect(history.present).toBe(50);
  expect(redo(history).present).toBe(51);
});
