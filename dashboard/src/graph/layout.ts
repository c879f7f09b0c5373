import { edgesOf, inputsOf, outputsOf, type Task, type WorkflowDocument } from "./document";

export const NODE_WIDTH = 250;
const COLUMN = 350;
const GAP = 36;
const HEAD = 66;
const PORT = 24;

export function heightOf(task: Task): number {
  return HEAD + PORT * Math.max(inputsOf(task).length, outputsOf(task).length, 0);
}

/** Places tasks from left to right by their order: each column needs only what stands left of it. */
export function layout(document: WorkflowDocument): Map<string, { x: number; y: number }> {
  const columns = new Map<number, Task[]>();
  const column = columnsOf(document);
  for (const task of document.tasks) {
    const at = column.get(task.id) ?? 0;
    columns.set(at, [...(columns.get(at) ?? []), task]);
  }
  const places = new Map<string, { x: number; y: number }>();
  for (const [at, tasks] of columns) {
    const height = tasks.reduce((sum, task) => sum + heightOf(task) + GAP, -GAP);
    let y = -height / 2;
    for (const task of tasks) {
      places.set(task.id, { x: at * COLUMN, y });
      y += heightOf(task) + GAP;
    }
  }
  return places;
}

/** How many tasks stand in which column, so that one sees whether the drawing became another one. */
export function shapeOf(document: WorkflowDocument): string {
  return [...columnsOf(document).values()].toSorted((one, other) => one - other).join();
}

/** The longest way to each task. What stands in a circle stays where the search was when it found the circle. */
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
