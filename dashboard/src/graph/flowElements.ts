import type { Edge, Node } from "@xyflow/react";
import { whenOf } from "./controlFlow";
import { readable } from "./expressions";
import { noteNodeId, type Note, type TaskPositions } from "./canvas";
import type { FlowEdgeData } from "./FlowEdge";
import { heightOf, NODE_WIDTH } from "./layout";
import type { NoteNodeData } from "./NoteNode";
import type { WorkflowDocument } from "./document";
import { AFTER, BEFORE, inputPort, outputPort, type TaskNodeData } from "./TaskNode";

export type GraphNode = Node<TaskNodeData, "task"> | Node<NoteNodeData, "note">;

/** The nodes of the tasks. Their initial size is known, so that the minimap and the edges are right at once. */
export function flowNodesOf(
  document: WorkflowDocument,
  dataOf: (taskId: string) => Partial<TaskNodeData>,
  positions: TaskPositions,
): Node<TaskNodeData, "task">[] {
  return document.tasks.map((task) => ({
    id: task.id,
    type: "task",
    position: positions.get(task.id) ?? { x: 0, y: 0 },
    initialWidth: NODE_WIDTH,
    initialHeight: heightOf(task),
    data: { task, ...dataOf(task.id) },
    ariaLabel: `${task.kind} task ${task.name}`,
  }));
}

export function noteNodesOf(notes: readonly Note[]): Node<NoteNodeData, "note">[] {
  return notes.map(({ id, x, y, width, height, text }) => ({
    id: noteNodeId(id),
    type: "note",
    position: { x, y },
    width,
    height,
    zIndex: -1,
    data: { id, text },
    ariaLabel: "Note",
  }));
}

/** The edges of the graph. Those to a task with a condition are dashed; dependencies, which set only the order, dotted. */
export function flowEdgesOf(document: WorkflowDocument, positions: TaskPositions): Edge<FlowEdgeData>[] {
  const boxes = new Map(
    document.tasks.map((task) => {
      const { x, y } = positions.get(task.id) ?? { x: 0, y: 0 };
      return [task.id, { x, y, width: NODE_WIDTH, height: heightOf(task) }];
    }),
  );
  const conditions = new Map(document.tasks.map((task) => [task.id, whenOf(task)]));
  const conditionText = (id: string) => (conditions.get(id) ? `, if ${readable(conditions.get(id)!)}` : "");
  const names = new Map(document.tasks.map((task) => [task.id, task.name || task.id]));
  const drawn = (id: string, from: string, to: string) => ({
    id,
    type: "flow",
    source: from,
    target: to,
    data: {
      turnY: turnOf([...boxes.values()], boxes.get(from), boxes.get(to)),
      conditional: Boolean(conditions.get(to)),
    },
    ...(conditions.get(to) ? { style: { strokeDasharray: "7 5" } } : {}),
  });
  return [
    ...(document.connections ?? []).map(({ from, to }, index) => ({
      ...drawn(`connection/${index}`, from.task, to.task),
      sourceHandle: outputPort(from.output),
      targetHandle: inputPort(to.input),
      ariaLabel: `Connection from ${from.output} of ${names.get(from.task)} to ${to.input} of ${names.get(to.task)}${conditionText(to.task)}`,
    })),
    ...(document.dependencies ?? []).map(({ from, to }, index) => ({
      ...drawn(`dependency/${index}`, from, to),
      sourceHandle: AFTER,
      targetHandle: BEFORE,
      ...(conditions.get(to) ? {} : { style: { strokeDasharray: "1 6", strokeLinecap: "round" as const } }),
      ariaLabel: `Order: ${names.get(from)} before ${names.get(to)}${conditionText(to)}`,
    })),
  ];
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A lower gap has no room for an edge. */
const MIN_GAP = 8;

/** From an edge around tasks to the tasks, within the margin of the graph. */
const DETOUR = 14;

/**
 * The height at which an edge to the next row runs back: the middle of the widest gap between the tasks. Without one,
 * the nearest height above or below them.
 */
export function turnOf(boxes: readonly Box[], from?: Box, to?: Box): number | undefined {
  if (!from || !to || to.x > from.x + from.width) {
    return undefined;
  }
  const top = Math.min(from.y + from.height / 2, to.y + to.height / 2);
  const bottom = Math.max(from.y + from.height / 2, to.y + to.height / 2);
  const between = boxes.filter((box) => box.x < from.x + from.width && box.x + box.width > to.x);
  const blocks = between
    .filter((box) => box.y < bottom && box.y + box.height > top)
    .toSorted((one, other) => one.y - other.y);
  let best = { size: 0, middle: (top + bottom) / 2 };
  let free = top;
  for (const block of [...blocks, { y: bottom, height: 0 }]) {
    if (block.y - free > best.size) {
      best = { size: block.y - free, middle: (free + block.y) / 2 };
    }
    free = Math.max(free, block.y + block.height);
  }
  return best.size < MIN_GAP ? detour(between, (top + bottom) / 2) : best.middle;
}

/** The free height that is nearest to the wanted one, directly above or below a task. */
function detour(boxes: readonly Box[], wanted: number): number {
  const isFree = (y: number) =>
    boxes.every((box) => y <= box.y - MIN_GAP / 2 || y >= box.y + box.height + MIN_GAP / 2);
  return boxes
    .flatMap((box) => [box.y - DETOUR, box.y + box.height + DETOUR])
    .filter(isFree)
    .reduce(
      (best, y) => (Math.abs(y - wanted) < Math.abs(best - wanted) ? y : best),
      Number.POSITIVE_INFINITY,
    );
}
