import type { Position, TaskPositions } from "./canvas";
import { flowBadgesOf } from "./controlFlow";
import { edgesOf, inputsOf, outputsOf, type Task, type WorkflowDocument } from "./document";

export const NODE_WIDTH = 220;
/** The smallest zoom at which the graph is fitted into view: texts have 11 px, targets 24 px. */
export const READABLE_ZOOM = 0.85;
/** The smallest zoom at which a phone shows the whole graph instead of its readable beginning. */
export const OVERVIEW_ZOOM = 0.3;
/** Room for the edges that run around the tasks. */
export const MARGIN = 20;
export const COLUMN = 272;
export const GAP = 32;
const ROW_GAP = 64;
const HEAD = 62;
/** The part of `HEAD` that is below the ports. */
const FOOT = 9;
const BADGE = 28;
const PORT = 30;

/** A name that is longer takes a second line. */
const TITLE_LENGTH = 18;
const TITLE_LINE = 20;

const titleLines = ({ name = "" }: Task) => (name.length > TITLE_LENGTH && name.includes(" ") ? 1 : 0);

export function heightOf(task: Task): number {
  const badges = BADGE * flowBadgesOf(task).length;
  return (
    HEAD +
    titleLines(task) * TITLE_LINE +
    badges +
    PORT * Math.max(inputsOf(task).length, outputsOf(task).length, 0)
  );
}

/** The height of a connection point of a task; without a name, of the one for dependencies. */
export function portYOf(task: Task, ports: readonly { name: string }[], name: string | null): number {
  const head = HEAD - FOOT + titleLines(task) * TITLE_LINE;
  const index = ports.findIndex((port) => port.name === name);
  return index < 0 ? head / 2 : head + BADGE * flowBadgesOf(task).length + PORT * (index + 0.5);
}

/** How many columns of tasks a canvas shows side by side at a readable zoom. */
export function columnsFor(width: number): number {
  return Math.max(1, Math.floor((width / READABLE_ZOOM - 2 * MARGIN + COLUMN - NODE_WIDTH) / COLUMN));
}

/**
 * Arranges tasks like text: from left to right, each task after all its predecessors, wrapped to rows of at most
 * `perRow` columns. Independent tasks of the same rank are stacked; unconnected ones have columns of their own.
 */
export function layout(document: WorkflowDocument, perRow: number): Map<string, Position> {
  const columns = columnsOf(document);
  const rows = Math.ceil(columns.length / perRow);
  const length = Math.ceil(columns.length / Math.max(1, rows));
  const positions = new Map<string, Position>();
  let top = 0;
  for (let start = 0; start < columns.length; start += length) {
    const row = columns.slice(start, start + length);
    const height = Math.max(...row.map(stackHeight));
    for (const [index, tasks] of row.entries()) {
      let y = top + (height - stackHeight(tasks)) / 2;
      for (const task of tasks) {
        positions.set(task.id, { x: index * COLUMN, y });
        y += heightOf(task) + GAP;
      }
    }
    top += height + ROW_GAP;
  }
  return positions;
}

const stackHeight = (tasks: Task[]): number => tasks.reduce((sum, task) => sum + heightOf(task) + GAP, -GAP);

/** The tasks by rank; unconnected tasks come last, one in each column. */
function columnsOf(document: WorkflowDocument): Task[][] {
  const rank = ranksOf(document);
  const connected = new Set(edgesOf(document).flat());
  const columns: Task[][] = [];
  for (const task of document.tasks.filter((each) => connected.has(each.id))) {
    (columns[rank.get(task.id) ?? 0] ??= []).push(task);
  }
  const alone = document.tasks.filter((task) => !connected.has(task.id)).map((task) => [task]);
  return [...columns.filter(Boolean), ...alone];
}

/** The longest path to each task. Tasks in a cycle keep the rank reached so far. */
function ranksOf(document: WorkflowDocument): Map<string, number> {
  const known = new Set(document.tasks.map((task) => task.id));
  const edges = edgesOf(document).filter(([from, to]) => known.has(from) && known.has(to) && from !== to);
  const waiting = new Map<string, number>([...known].map((id) => [id, 0]));
  const next = new Map<string, string[]>();
  for (const [from, to] of edges) {
    waiting.set(to, waiting.get(to)! + 1);
    next.set(from, [...(next.get(from) ?? []), to]);
  }
  const rank = new Map<string, number>([...known].map((id) => [id, 0]));
  const ready = [...known].filter((id) => waiting.get(id) === 0);
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    for (const to of next.get(id) ?? []) {
      rank.set(to, Math.max(rank.get(to)!, rank.get(id)! + 1));
      const left = waiting.get(to)! - 1;
      waiting.set(to, left);
      if (left === 0) {
        ready.push(to);
      }
    }
  }
  return rank;
}

/** The positions of all tasks: saved ones first, then those of the layout, then free places. */
export function arrange(
  document: WorkflowDocument,
  saved: TaskPositions,
  automatic: TaskPositions,
): Map<string, Position> {
  const positions = new Map<string, Position>();
  const missing: Task[] = [];
  for (const task of document.tasks) {
    const found = saved.get(task.id) ?? (saved.size === 0 ? automatic.get(task.id) : undefined);
    if (found) {
      positions.set(task.id, found);
    } else {
      missing.push(task);
    }
  }
  for (const task of missing) {
    const wanted = automatic.get(task.id) ?? { x: 0, y: 0 };
    positions.set(task.id, freePlace(document, positions, wanted, heightOf(task)));
  }
  return positions;
}

/** Where the task after `anchor` goes: to its right, in the next row when the row is full. */
export function placeAfter(
  document: WorkflowDocument,
  positions: TaskPositions,
  anchor: string | null,
  perRow: number,
): Position {
  const all = [...positions.values()];
  if (all.length === 0) {
    return { x: 0, y: 0 };
  }
  const left = Math.min(...all.map((each) => each.x));
  const from = positions.get(anchor ?? "") ?? positions.get(document.tasks.at(-1)?.id ?? "") ?? all.at(-1)!;
  const right = from.x + COLUMN;
  const bottom = Math.max(...document.tasks.map((task) => (positions.get(task.id)?.y ?? 0) + heightOf(task)));
  const wanted =
    right - left > (perRow - 1) * COLUMN + COLUMN / 2
      ? { x: left, y: bottom + ROW_GAP }
      : { x: right, y: from.y };
  return freePlace(document, positions, wanted, HEAD + PORT);
}

/** The wanted place, or the first one below it that overlaps no task. */
export function freePlace(
  document: WorkflowDocument,
  positions: TaskPositions,
  wanted: Position,
  height: number,
): Position {
  const taken = document.tasks.flatMap((task) => {
    const at = positions.get(task.id);
    return at ? [{ ...at, height: heightOf(task) }] : [];
  });
  let { y } = wanted;
  for (;;) {
    const hit = taken.find(
      (each) =>
        Math.abs(each.x - wanted.x) < NODE_WIDTH + GAP / 2 &&
        y < each.y + each.height + GAP / 2 &&
        each.y < y + height + GAP / 2,
    );
    if (!hit) {
      return { x: wanted.x, y };
    }
    y = hit.y + hit.height + GAP;
  }
}
