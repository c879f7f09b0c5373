import { expect, test } from "vitest";
import { asDocument } from "./document";
import { arrange, columnsFor, freePlace, heightOf, layout, NODE_WIDTH, placeAfter } from "./layout";

type Edges = [string, string][];

const documentOf = (ids: string[], edges: Edges = []) =>
  asDocument({
    tasks: ids.map((id) => ({ id, kind: "AI", name: id, instructions: "" })),
    dependencies: edges.map(([from, to]) => ({ from, to })),
  });

const chain = (ids: string[]) =>
  documentOf(
    ids,
    ids.slice(1).map((id, index): [string, string] => [ids[index]!, id]),
  );

/** The IDs by row and column; tasks of one column are joined. */
function rowsOf(document: ReturnType<typeof documentOf>, perRow: number): string[][] {
  const positions = [...layout(document, perRow)];
  const height = heightOf(document.tasks[0]!);
  const rows: { from: number; columns: Map<number, string> }[] = [];
  for (const [id, { x, y }] of positions.toSorted(
    ([, one], [, other]) => one.y - other.y || one.x - other.x,
  )) {
    let row = rows.find((each) => y < each.from + height * 3);
    if (!row) {
      row = { from: y, columns: new Map() };
      rows.push(row);
    }
    row.columns.set(x, (row.columns.get(x) ?? "") + id);
  }
  return rows.map(({ columns }) =>
    [...columns].toSorted(([one], [other]) => one - other).map(([, ids]) => ids),
  );
}

test("each task is right of all its predecessors", () => {
  const edges: Edges = [
    ["a", "b"],
    ["a", "d"],
    ["b", "c"],
    ["c", "d"],
  ];
  expect(rowsOf(documentOf(["d", "c", "b", "a"], edges), 9)).toEqual([["a", "b", "c", "d"]]);
});

test("long chains wrap into rows of equal length", () => {
  const xs = (count: number, perRow: number) => {
    const positions = [...layout(chain([..."abcdefghij"].slice(0, count)), perRow).values()];
    return [...new Set(positions.map(({ y }) => y))].map(
      (row) => positions.filter(({ y }) => y === row).length,
    );
  };
  expect([xs(3, 3), xs(4, 3), xs(5, 3), xs(10, 3), xs(10, 5), xs(2, 1)]).toEqual([
    [3],
    [2, 2],
    [3, 2],
    [3, 3, 3, 1],
    [5, 5],
    [1, 1],
  ]);
});

test("tasks of one rank are stacked without overlap", () => {
  const document = documentOf(
    ["a", "b", "c"],
    [
      ["a", "b"],
      ["a", "c"],
    ],
  );
  const [, b, c] = [...layout(document, 3).values()];
  expect(b!.x).toBe(c!.x);
  expect(c!.y - b!.y).toBeGreaterThan(heightOf(document.tasks[0]!));
});

test("unconnected tasks follow in columns of their own", () => {
  expect(rowsOf(documentOf(["x", "a", "b", "y"], [["a", "b"]]), 9)).toEqual([["a", "b", "x", "y"]]);
});

test("cycles and edges to unknown tasks are drawn, too", () => {
  const edges: Edges = [
    ["a", "b"],
    ["b", "a"],
    ["a", "a"],
    ["a", "unknown"],
  ];
  expect(rowsOf(documentOf(["a", "b"], edges), 3)).toEqual([["ab"]]);
});

test("three columns fit beside the menu and the panel of a window of 1280 px, one on a phone", () => {
  expect([358, 688, 805, 1280].map(columnsFor)).toEqual([1, 3, 3, 5]);
});

test("saved tasks stay, and tasks without a place do not cover them", () => {
  const document = chain(["a", "b", "c"]);
  const automatic = layout(document, 3);
  const saved = new Map([
    ["a", { x: 0, y: 0 }],
    ["b", automatic.get("c")!],
  ]);
  const positions = arrange(document, saved, automatic);
  expect(positions.get("b")).toEqual(saved.get("b"));
  expect(positions.get("c")!.y).toBeGreaterThan(positions.get("b")!.y + heightOf(document.tasks[1]!));
  expect(arrange(document, new Map(), automatic)).toEqual(automatic);
});

test("a new task goes to the right of the selected one, and wraps at the end of the row", () => {
  const document = chain(["a", "b", "c"]);
  const positions = layout(document, 3);
  const [a, b, c] = [...positions.values()];
  const below = placeAfter(document, positions, "c", 3);
  expect(below.x).toBe(a!.x);
  expect(below.y).toBeGreaterThan(c!.y + heightOf(document.tasks[0]!));
  expect(placeAfter(document, positions, "c", 4).x).toBeGreaterThan(c!.x + NODE_WIDTH);
  // The place right of the first task is taken.
  const beside = placeAfter(document, positions, "a", 3);
  expect(beside.x).toBe(b!.x);
  expect(beside.y).toBeGreaterThan(b!.y + heightOf(document.tasks[0]!));
  expect(placeAfter(documentOf([]), new Map(), null, 3)).toEqual({ x: 0, y: 0 });
});

test("a free place is kept", () => {
  const document = chain(["a"]);
  const positions = new Map([["a", { x: 0, y: 0 }]]);
  expect(freePlace(document, positions, { x: 300, y: 0 }, 90)).toEqual({ x: 300, y: 0 });
  expect(freePlace(document, positions, { x: 10, y: -10 }, 90).y).toBeGreaterThan(60);
});
