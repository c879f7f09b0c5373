import { expect, test } from "vitest";
import { addNote, changeNote, EMPTY_CANVAS, followRename, noteNodeId, place, removeNotes } from "./canvas";

test("a renamed task keeps its position; other changes of the list move nothing", () => {
  const canvas = place(EMPTY_CANVAS, new Map([["a", { x: 1.4, y: 2.6 }]]));
  expect(followRename(canvas, ["a", "b"], ["c", "b"]).positions).toEqual(new Map([["c", { x: 1, y: 3 }]]));
  for (const after of [["b", "a"], ["a"], ["a", "b"], ["a", "x"]]) {
    expect(followRename(canvas, ["a", "b"], after)).toBe(canvas);
  }
});

test("notes are added, edited, moved with tasks and removed", () => {
  const { canvas: one, id } = addNote(EMPTY_CANVAS, { x: 0, y: 0 });
  const { canvas: two, id: other } = addNote(one, { x: 5, y: 5 });
  expect(other).not.toBe(id);
  const moved = place(
    changeNote(two, id, { text: "Hello" }),
    new Map([
      [noteNodeId(id), { x: 10, y: 20 }],
      ["task", { x: 1, y: 1 }],
    ]),
  );
  expect(moved.notes[0]).toMatchObject({ text: "Hello", x: 10, y: 20 });
  expect([...moved.positions.keys()]).toEqual(["task"]);
  expect(removeNotes(moved, new Set([noteNodeId(id), "task"])).notes.map((note) => note.id)).toEqual([other]);
  expect(removeNotes(moved, new Set(["task"]))).toBe(moved);
});
