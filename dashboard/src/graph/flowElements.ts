import type { Edge, Node } from "@xyflow/react";
import { whenOf } from "./controlFlow";
import { readable } from "./expressions";
import { noteNodeId, type Note, type TaskPositions } from "./canvas";
import type { FlowEdgeData } from "./FlowEdge";
import { inputsOf, outputsOf, type WorkflowDocument } from "./document";
import { routeEdges, type EdgeRoute, type RoutedEdge } from "./edgeRoutes";
import { heightOf, NODE_WIDTH, portYOf } from "./layout";
import type { NoteNodeData } from "./NoteNode";
import { AFTER, BEFORE, inputPort, outputPort, type TaskNodeData } from "./TaskNode";

export type GraphNode = Node<TaskNodeData, "task"> | Node<NoteNodeData, "note">;

/**
 * The nodes of the tasks. Their size is known, so that the minimap and the edges are right at once. React Flow forgets
 * the connection points of nodes without a measured size, and paper would have no edges.
 */
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
    measured: { width: NODE_WIDTH, height: heightOf(task) },
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
  const routes = edgeRoutesOf(document, positions);
  const conditions = new Map(document.tasks.map((task) => [task.id, whenOf(task)]));
  const conditionText = (id: string) => (conditions.get(id) ? `, if ${readable(conditions.get(id)!)}` : "");
  const names = new Map(document.tasks.map((task) => [task.id, task.name || task.id]));
  const drawn = (id: string, from: string, to: string) => ({
    id,
    type: "flow",
    source: from,
    target: to,
    data: {
      route: routes.get(id),
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

/** The routes around tasks, by the IDs of the edges; edges that no task obstructs have none. */
export function edgeRoutesOf(document: WorkflowDocument, positions: TaskPositions): Map<string, EdgeRoute> {
  const placed = new Map(
    document.tasks.map((task) => {
      const { x, y } = positions.get(task.id) ?? { x: 0, y: 0 };
      return [task.id, { task, box: { x, y, width: NODE_WIDTH, height: heightOf(task) } }];
    }),
  );
  const edges: RoutedEdge[] = [];
  const add = (id: string, from: string, output: string | null, to: string, input: string | null) => {
    const [source, target] = [placed.get(from), placed.get(to)];
    if (source && target) {
      const fromY = source.box.y + portYOf(source.task, outputsOf(source.task), output);
      const toY = target.box.y + portYOf(target.task, inputsOf(target.task), input);
      edges.push({ id, from: source.box, to: target.box, fromY, toY });
    }
  };
  for (const [index, { from, to }] of (document.connections ?? []).entries()) {
    add(`connection/${index}`, from.task, from.output, to.task, to.input);
  }
  for (const [index, { from, to }] of (document.dependencies ?? []).entries()) {
    add(`dependency/${index}`, from, null, to, null);
  }
  return routeEdges(
    [...placed.values()].map(({ box }) => box),
    edges,
  );
}
