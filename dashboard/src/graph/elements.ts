import type { Edge, Node } from "@xyflow/react";
import type { WorkflowDocument } from "./document";
import { layout } from "./layout";
import type { Places } from "./places";
import { AFTER, BEFORE, inputPort, outputPort, type TaskNodeData } from "./TaskNode";

export type Extra = (taskId: string, index: number) => Partial<TaskNodeData>;

/** The nodes of a document; tasks that nobody has moved stand where the layout puts them. */
export function nodesOf(document: WorkflowDocument, extra: Extra, kept?: Places): Node<TaskNodeData>[] {
  const places = layout(document);
  return document.tasks.map((task, index) => ({
    id: task.id,
    type: "task",
    position: kept?.get(task.id) ?? places.get(task.id) ?? { x: 0, y: 0 },
    data: { task, ...extra(task.id, index) },
    ariaLabel: `${task.kind} task ${task.name}`,
  }));
}

/** The edges: connections carry values, dependencies (dashed) are order alone. */
export function connectionsOf(document: WorkflowDocument): Edge[] {
  return [
    ...(document.connections ?? []).map(({ from, to }, index) => ({
      id: `connection/${index}`,
      source: from.task,
      sourceHandle: outputPort(from.output),
      target: to.task,
      targetHandle: inputPort(to.input),
    })),
    ...(document.dependencies ?? []).map(({ from, to }, index) => ({
      id: `dependency/${index}`,
      source: from,
      sourceHandle: AFTER,
      target: to,
      targetHandle: BEFORE,
      style: { strokeDasharray: "6 4" },
    })),
  ];
}
