import type { Connection as DrawnEdge } from "@xyflow/react";
import { closesCycle, connectionError, outputsOf, type WorkflowDocument } from "../../graph/document";
import { connectInput, connectToTask, depend } from "../../graph/documentEdits";
import { AFTER, BEFORE } from "../../graph/TaskNode";

const OUTPUT = "out:";
const INPUT = "in:";

function withOrder(document: WorkflowDocument, from: string, to: string): WorkflowDocument | string {
  if ((document.dependencies ?? []).some((each) => each.from === from && each.to === to)) {
    return "These tasks already run in this order.";
  }
  return from === to || closesCycle(document, from, to)
    ? "That would create a loop."
    : depend(document, { from, to });
}

/**
 * The document with the edge that was drawn between two connection points, or the reason why it is invalid. It replaces
 * the connection that the input had.
 */
export function withEdge(document: WorkflowDocument, edge: DrawnEdge): WorkflowDocument | string {
  const { source, target, sourceHandle, targetHandle } = edge;
  if (sourceHandle === AFTER) {
    return withOrder(document, source, target);
  }
  const from = { task: source, output: sourceHandle?.slice(OUTPUT.length) ?? "" };
  if (targetHandle === BEFORE) {
    return connectToTask(document, from, target);
  }
  const connection = { from, to: { task: target, input: targetHandle?.slice(INPUT.length) ?? "" } };
  return connectionError(document, connection) ?? connectInput(document, connection.to, from);
}

/** Where a drawn edge started. */
export interface EdgeStart {
  task: string;
  handle: string;
}

/** The output or the task at which a new task may follow; null for the connection points at the left. */
export function startOf({ task, handle }: EdgeStart): { task: string; output: string } | string | null {
  if (handle === AFTER) {
    return task;
  }
  return handle.startsWith(OUTPUT) ? { task, output: handle.slice(OUTPUT.length) } : null;
}

/** The document with an edge that was dropped on a task instead of one of its connection points. */
export function withDrop(
  document: WorkflowDocument,
  start: EdgeStart,
  task: string,
): WorkflowDocument | string {
  const from = startOf(start);
  if (from !== null) {
    return typeof from === "string" ? withOrder(document, from, task) : connectToTask(document, from, task);
  }
  if (start.handle === BEFORE) {
    return withOrder(document, task, start.task);
  }
  const to = { task: start.task, input: start.handle.slice(INPUT.length) };
  const source = document.tasks.find((each) => each.id === task);
  const attempts = (source ? outputsOf(source) : []).map((output) => {
    const connection = { from: { task, output: output.name }, to };
    return { connection, error: connectionError(document, connection) };
  });
  const fitting = attempts.find(({ error }) => error === null);
  return fitting
    ? connectInput(document, to, fitting.connection.from)
    : (attempts[0]?.error ?? "This task has no outputs.");
}
