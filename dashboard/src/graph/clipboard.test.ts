import { expect, test } from "vitest";
import { EMPTY_CANVAS, type Canvas } from "./canvas";
import { copyOf, freeOffset, parseFragment, paste } from "./clipboard";
import { asDocument } from "./document";

const task = (id: string) => ({
  id,
  kind: "AI",
  name: id,
  instructions: "",
  input_parameters: [{ name: "in", type: "STRING", description: "", source: "system_generated" }],
  expected_output: [{ name: "out", type: "STRING", description: "" }],
});
const edge = (from: string, to: string) => ({
  from: { task: from, output: "out" },
  to: { task: to, input: "in" },
});

const DOCUMENT = asDocument({
  name: "Agent",
  tasks: [task("a"), task("b"), task("c")],
  connections: [edge("a", "b"), edge("b", "c")],
  dependencies: [{ from: "a", to: "b" }],
});
const NOTE = { id: "note_1", x: 0, y: -200, width: 240, height: 120, text: "Hello" };
const CANVAS: Canvas = { positions: new Map([["a", { x: 0, y: 0 }]]), notes: [NOTE] };
const SHOWN = new Map([
  ["a", { x: 0, y: 0 }],
  ["b", { x: 300, y: 0 }],
  ["c", { x: 600, y: 0 }],
]);

test("tasks are copied with the edges between them, and pasted under free IDs", () => {
  const fragment = parseFragment(copyOf(DOCUMENT, CANVAS, SHOWN, new Set(["a", "b", "note:note_1"]))!)!;
  // Below the originals, whose ports stay visible.
  const offset = freeOffset(DOCUMENT, SHOWN, CANVAS.notes, fragment);
  expect(offset).toEqual({ x: 0, y: 320 });
  const { document, canvas, nodes } = paste(DOCUMENT, CANVAS, fragment, offset);
  expect(document.tasks.map(({ id }) => id)).toEqual(["a", "b", "c", "a_2", "b_2"]);
  expect(document.tasks.map(({ name }) => name)).toEqual(["a", "b", "c", "a 2", "b 2"]);
  expect(document.connections).toEqual([...DOCUMENT.connections!, edge("a_2", "b_2")]);
  expect(document.dependencies).toEqual([
    { from: "a", to: "b" },
    { from: "a_2", to: "b_2" },
  ]);
  expect(canvas.positions.get("b_2")).toEqual({ x: 300, y: 320 });
  expect(canvas.notes.map(({ id, text }) => [id, text])).toEqual([
    ["note_1", "Hello"],
    ["note_2", "Hello"],
  ]);
  expect([...nodes]).toEqual(["a_2", "b_2", "note:note_2"]);
  // The second paste moves on.
  expect(freeOffset(document, new Map([...SHOWN, ...canvas.positions]), canvas.notes, fragment)).toEqual({
    x: 0,
    y: 640,
  });
});

test("another agent takes the tasks under their own IDs", () => {
  const fragment = parseFragment(copyOf(DOCUMENT, CANVAS, SHOWN, new Set(["b", "c"]))!)!;
  const { document } = paste(asDocument({ name: "Other" }), EMPTY_CANVAS, fragment, { x: 0, y: 0 });
  expect(document.tasks.map(({ id }) => id)).toEqual(["b", "c"]);
  expect(document.connections).toEqual([edge("b", "c")]);
});

test("an exported agent can be pasted", () => {
  const fragment = parseFragment(JSON.stringify(DOCUMENT))!;
  expect(paste(DOCUMENT, EMPTY_CANVAS, fragment, { x: 0, y: 0 }).document.tasks).toHaveLength(6);
});

test.each(["", "text", "7", "[]", "{}", '{"tasks":[]}', '{"tasks":[{"kind":"AI"}]}', '{"notes":[{"x":1}]}'])(
  "%j is nothing to paste",
  (text) => expect(parseFragment(text)).toBeNull(),
);

test("nothing is copied without a selection", () => {
  expect(copyOf(DOCUMENT, CANVAS, SHOWN, new Set(["z"]))).toBeNull();
});
