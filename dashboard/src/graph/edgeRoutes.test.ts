import { expect, test } from "vitest";
import type { TaskPositions } from "./canvas";
import { asDocument, inputsOf, type WorkflowDocument } from "./document";
import { routePath } from "./edgeRoutes";
import { edgeRoutesOf } from "./flowElements";
import { heightOf, layout, NODE_WIDTH, portYOf } from "./layout";

type Edges = [from: string, to: string][];

/** Tasks with one output each, which is connected to an input of each later task. */
function documentOf(ids: string[], edges: Edges, moreInputs: Record<string, number> = {}): WorkflowDocument {
  const parameter = (name: string) => ({ name, type: "STRING", description: name });
  return asDocument({
    tasks: ids.map((id) => ({
      id,
      kind: "AI",
      name: id,
      instructions: "",
      input_parameters: [
        ...edges.filter(([, to]) => to === id).map(([from]) => from),
        ...Array.from({ length: moreInputs[id] ?? 0 }, (_, index) => `more_${index}`),
      ].map((name) => ({ ...parameter(name), required: true, source: "previous_task" })),
      expected_output: [parameter("result")],
    })),
    connections: edges.map(([from, to]) => ({
      from: { task: from, output: "result" },
      to: { task: to, input: from },
    })),
  });
}

/** The points of a route, with the two ports. */
const CORNERS = 6;

type Point = [x: number, y: number];

/** The points of each edge: the corners of its route, or points on its curve. */
function linesOf(document: WorkflowDocument, positions: TaskPositions): Point[][] {
  const routes = edgeRoutesOf(document, positions);
  return document.connections!.map(({ from, to }, index) => {
    const [source, target] = [from, to].map(({ task }) => document.tasks.find(({ id }) => id === task)!);
    const start: Point = [
      positions.get(from.task)!.x + NODE_WIDTH,
      positions.get(from.task)!.y + portYOf(source!, source!.expected_output as { name: string }[], "result"),
    ];
    const end: Point = [
      positions.get(to.task)!.x,
      positions.get(to.task)!.y + portYOf(target!, inputsOf(target!), to.input),
    ];
    const route = routes.get(`connection/${index}`);
    if (!route) {
      const middle = (start[0] + end[0]) / 2;
      return Array.from({ length: 41 }, (_, step): Point => {
        const t = step / 40;
        const along = (a: number, b: number, c: number, d: number) =>
          a * (1 - t) ** 3 + 3 * b * (1 - t) ** 2 * t + 3 * c * (1 - t) * t ** 2 + d * t ** 3;
        return [along(start[0], middle, middle, end[0]), along(start[1], start[1], end[1], end[1])];
      });
    }
    const { outX, y, inX } = route;
    return [start, [outX, start[1]], [outX, y], [inX, y], [inX, end[1]], end];
  });
}

/** The tasks that a line passes behind. */
function tasksBehind(document: WorkflowDocument, positions: TaskPositions): string[] {
  return linesOf(document, positions).flatMap((points) =>
    document.tasks
      .filter((task) => {
        const { x, y } = positions.get(task.id)!;
        return points.slice(1).some(([toX, toY], index) => {
          const [fromX, fromY] = points[index]!;
          return (
            Math.max(fromX, toX) > x + 1 &&
            Math.min(fromX, toX) < x + NODE_WIDTH - 1 &&
            Math.max(fromY, toY) > y + 1 &&
            Math.min(fromY, toY) < y + heightOf(task) - 1
          );
        });
      })
      .map(({ id }) => id),
  );
}

/** The pairs of edges around tasks that share a straight part, except directly at their ports. */
function mergedEdges(document: WorkflowDocument, positions: TaskPositions): string[] {
  const routed = linesOf(document, positions).filter((points) => points.length === CORNERS);
  const parts = routed.map((points) =>
    points.slice(2, -1).map(([toX, toY], index) => {
      const [fromX, fromY] = points[index + 1]!;
      return fromX === toX
        ? { at: toX, start: Math.min(fromY, toY), end: Math.max(fromY, toY), vertical: true }
        : { at: toY, start: Math.min(fromX, toX), end: Math.max(fromX, toX), vertical: false };
    }),
  );
  return parts.flatMap((one, index) =>
    parts
      .slice(index + 1)
      .flatMap((other, offset) =>
        one.some((a) =>
          other.some(
            (b) =>
              a.vertical === b.vertical && Math.abs(a.at - b.at) < 3 && a.start < b.end && b.start < a.end,
          ),
        )
          ? [`${index} and ${index + 1 + offset}`]
          : [],
      ),
  );
}

const CHAIN: Edges = [
  ["a", "b"],
  ["b", "c"],
];

test("an edge that skips a column passes around the task in it", () => {
  const document = documentOf(["a", "b", "c"], [...CHAIN, ["a", "c"]]);
  const positions = layout(document, 3);
  expect(tasksBehind(document, positions)).toEqual([]);
  expect([...edgeRoutesOf(document, positions).keys()]).toEqual(["connection/2"]);
});

test("an edge passes around a task that grew since the graph was arranged", () => {
  const edges: Edges = [...CHAIN, ["a", "c"]];
  const positions = layout(documentOf(["a", "b", "c"], edges), 3);
  const grown = documentOf(["a", "b", "c"], edges, { b: 12 });
  expect(tasksBehind(grown, positions)).toEqual([]);
});

test("an edge to the next row runs between the rows", () => {
  const document = documentOf(["a", "b", "c"], CHAIN);
  const positions = layout(document, 2);
  const { y } = edgeRoutesOf(document, positions).get("connection/1")!;
  expect(y).toBeGreaterThan(positions.get("b")!.y + heightOf(document.tasks[1]!));
  expect(y).toBeLessThan(positions.get("c")!.y);
});

test("edges of one output and edges to one task have lanes of their own, also in one column of a phone", () => {
  const edges: Edges = [...CHAIN, ["c", "d"], ["a", "c"], ["a", "d"], ["b", "d"]];
  const document = documentOf(["a", "b", "c", "d"], edges);
  for (const perRow of [1, 2, 3, 4]) {
    const positions = layout(document, perRow);
    expect(mergedEdges(document, positions), `${perRow} in a row`).toEqual([]);
    expect(tasksBehind(document, positions), `${perRow} in a row`).toEqual([]);
  }
});

/** A graph of `count` tasks, of which each has up to three earlier ones before it. */
function bigGraph(count: number, seed: number): WorkflowDocument {
  let state = seed;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const ids = Array.from({ length: count }, (_, index) => `t${index}`);
  const edges = new Map<string, [string, string]>();
  for (let to = 1; to < count; to++) {
    for (let each = 0; each <= random(3); each++) {
      const from = Math.max(0, to - 1 - random(6));
      edges.set(`${from} ${to}`, [ids[from]!, ids[to]!]);
    }
  }
  return documentOf(ids, [...edges.values()]);
}

test("no edge of an automatic layout passes behind a task", () => {
  for (const count of [10, 20, 30]) {
    for (const perRow of [1, 2, 3, 5]) {
      const document = bigGraph(count, count * perRow);
      expect(tasksBehind(document, layout(document, perRow)), `${count} tasks, ${perRow} in a row`).toEqual(
        [],
      );
    }
  }
});

test("thirty tasks are routed fast enough to drag them", () => {
  const document = bigGraph(30, 7);
  const positions = layout(document, 4);
  // Processor time, as tests run in parallel.
  const times = Array.from({ length: 20 }, () => {
    const before = process.cpuUsage();
    edgeRoutesOf(document, positions);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });

  // A quarter of it on an idle machine.
  expect(Math.min(...times)).toBeLessThan(50);
});

test("a route is drawn with round corners, without a step where the port is measured a little off", () => {
  const ends = { sourceX: 0, sourceY: 0, targetX: 100, targetY: 50 };
  expect(routePath(ends, { outX: 20, y: 1, inX: 80 })).toEqual([
    "M0,0 L20,0 Q20,0 20,0 L20,0 Q20,0 20,0 L74,0 Q80,0 80,6 L80,44 Q80,50 86,50 L100,50",
    50,
    0,
  ]);
});
