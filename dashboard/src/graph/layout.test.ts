import { expect, test } from "vitest";
import { asDocument } from "./document";
import { heightOf, layout, layoutKeyOf, NODE_WIDTH } from "./layout";

const documentOf = (ids: string[], edges: [string, string][]) =>
  asDocument({
    tasks: ids.map((id) => ({ id, kind: "AI", name: id, instructions: "" })),
    dependencies: edges.map(([from, to]) => ({ from, to })),
  });

/** The IDs of each column, from left to right and from top to bottom. */
function columnsOf(...[ids, edges]: Parameters<typeof documentOf>): string[][] {
  const columns = new Map<number, [number, string][]>();
  for (const [id, { x, y }] of layout(documentOf(ids, edges))) {
    columns.set(x, [...(columns.get(x) ?? []), [y, id]]);
  }
  return [...columns]
    .toSorted(([one], [other]) => one - other)
    .map(([, tasks]) => tasks.toSorted(([one], [other]) => one - other).map(([, id]) => id));
}

test("each task is right of all its predecessors", () => {
  const edges: [string, string][] = [
    ["a", "b"],
    ["a", "d"],
    ["b", "c"],
    ["c", "d"],
  ];
  expect(columnsOf(["d", "c", "b", "a"], edges)).toEqual([["a"], ["b"], ["c"], ["d"]]);
});

test("tasks of one column do not overlap", () => {
  const document = documentOf(["a", "b", "c"], []);
  const [a, b, c] = [...layout(document).values()];
  const height = heightOf(document.tasks[0]!);
  expect(b!.y - a!.y).toBeGreaterThan(height);
  expect(c!.y - b!.y).toBeGreaterThan(height);
  expect(a!.x).toBe(c!.x);
});

test("columns leave room for the edges", () => {
  const positions = layout(documentOf(["a", "b"], [["a", "b"]]));
  expect(positions.get("b")!.x - positions.get("a")!.x).toBeGreaterThan(NODE_WIDTH);
});

test("cycles and edges to unknown tasks are drawn, too", () => {
  const cyclic: [string, string][] = [
    ["a", "b"],
    ["b", "a"],
    ["a", "a"],
    ["a", "unknown"],
  ];
  expect(columnsOf(["a", "b"], cyclic)).toEqual([["a", "b"]]);
});

test("the layout key changes only when a task moves to another column", () => {
  const before = layoutKeyOf(documentOf(["a", "b", "c"], [["a", "b"]]));
  expect(layoutKeyOf(documentOf(["a", "b", "c"], [["a", "c"]]))).toBe(before);
  expect(layoutKeyOf(documentOf(["a", "b", "c"], []))).not.toBe(before);
});
