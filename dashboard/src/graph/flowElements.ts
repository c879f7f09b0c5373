import type { Edge, Node } from "@xyflow/react";
import type { WorkflowDocument } from "./document";
import { layout } from "./layout";
import type { TaskPositions } from "./positions";
import { AFTER, BEFORE, inputPort, outputPort, type TaskNodeData } from "./TaskNode";

export type NodeDataOf = (taskId: string, index: number) => Partial<TaskNodeData>;

/** The nodes of the graph; tasks without a saved position get one from the layout. */
export function flowNodesOf(
  document: WorkflowDocument,
  dataOf: NodeDataOf,
  saved?: TaskPositions,
): Node<TaskNodeData>[] {
  const automatic = layout(document);
  return document.tasks.map((task, index) => ({
    id: task.id,
    type: "task",
    position: saved?.get(task.id) ?? automatic.get(task.id) ?? { x: 0, y: 0 },
    data: { task, ...dataOf(task.id, index) },
    ariaLabel: `${task.kind} task ${task.name}`,
  }));
}

/** The edges of the graph. Dependencies, which set only the order, are dashed. */
export function flowEdgesOf(document: WorkflowDocument): Edge[] {
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
