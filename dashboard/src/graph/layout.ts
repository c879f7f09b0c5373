import { edgesOf, inputsOf, outputsOf, type Task, type WorkflowDocument } from "./document";

export const NODE_WIDTH = 250;
const COLUMN = 350;
const GAP = 36;
const HEAD = 66;
const PORT = 24;

export function heightOf(task: Task): number {
  return HEAD + PORT * Math.max(inputsOf(task).length, outputsOf(task).length, 0);
}

/** Arranges tasks from left to right: each task depends only on columns to its left. */
export function layout(document: WorkflowDocument): Map<string, { x: number; y: number }> {
  const columns = new Map<number, Task[]>();
  const column = columnsOf(document);
  for (const task of document.tasks) {
    const at = column.get(task.id) ?? 0;
    columns.set(at, [...(columns.get(at) ?? []), task]);
  }
  const positions = new Map<string, { x: number; y: number }>();
  for (const [at, tasks] of columns) {
    const height = tasks.reduce((sum, task) => sum + heightOf(task) + GAP, -GAP);
    let y = -height / 2;
    for (const task of tasks) {
      positions.set(task.id, { x: at * COLUMN, y });
      y += heightOf(task) + GAP;
    }
  }
  return positions;
}

/** Changes whenever tasks move to other columns. */
export function layoutKeyOf(document: WorkflowDocument): string {
  return [...columnsOf(document).values()].toSorted((one, other) => one - other).join();
}

/** The longest path to each task. Tasks in a cycle keep the column reached so far. */
function columnsOf(document: WorkflowDocument): Map<string, number> {
  const known = new Set(document.tasks.map((task) => task.id));
  const edges = edgesOf(document).filter(([from, to]) => known.has(from) && known.has(to) && from !== to);
  const waiting = new Map<string, number>([...known].map((id) => [id, 0]));
  for (const [, to] of edges) {
    waiting.set(to, waiting.get(to)! + 1);
  }
  const next = new Map<string, string[]>();
  for (const [from, to] of edges) {
    const list = next.get(from);
    if (list) {
      list.push(to);
    } else {
      next.set(from, [to]);
    }
  }
  const column = new Map<string, number>([...known].map((id) => [id, 0]));
  const ready = [...known].filter((id) => waiting.get(id) === 0);
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    for (const to of next.get(id) ?? []) {
      column.set(to, Math.max(column.get(to)!, column.get(id)! + 1));
      const left = waiting.get(to)! - 1;
      waiting.set(to, left);
      if (left === 0) {
        ready.push(to);
      }
    }
  }
  return column;
}
