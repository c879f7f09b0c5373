import type { Position } from "./canvas";
import { COLUMN, GAP } from "./layout";

interface Box extends Position {
  width: number;
  height: number;
}

interface Insertion {
  /** The places of all tasks and notes, by the IDs of their nodes. */
  boxes: ReadonlyMap<string, Box>;
  /** The ends of the edge. */
  from: string;
  to: string;
  /** Whether other edges begin at the first task, so that the new task belongs beside the second one. */
  branches: boolean;
  /** The height of the new task. */
  height: number;
  perRow: number;
}

interface Room {
  at: Position;
  /** The new places of the boxes that make room. */
  moved: Map<string, Position>;
}

/**
 * Finds the place of a task that is inserted on an edge: between its ends, or where the next row begins. The boxes to
 * the right of it in that row move, and keep their distances.
 */
export function roomFor({ boxes, from, to, branches, height, perRow }: Insertion): Room | null {
  const [source, target] = [boxes.get(from), boxes.get(to)];
  if (!source || !target) {
    return null;
  }
  const gap = target.x - source.x;
  if (gap >= source.width) {
    const hasRoom = gap >= 2 * (source.width + GAP);
    const at = { x: hasRoom ? source.x + gap / 2 : source.x + COLUMN, y: (branches ? target : source).y };
    const row = [source, target, { ...at, width: source.width, height }];
    return { at, moved: hasRoom ? new Map() : pushed(boxes, from, row, at.x) };
  }
  const left = Math.min(...[...boxes.values()].map(({ x }) => x));
  const after = { x: source.x + COLUMN, y: source.y, width: source.width, height };
  const endsRow = ![...boxes.values()].some((box) => overlapsInX(box, after) && overlapsInY(box, after));
  if (endsRow && after.x - left < (perRow - 1) * COLUMN + COLUMN / 2) {
    return { at: { x: after.x, y: after.y }, moved: new Map() };
  }
  const at = { x: target.x, y: target.y };
  return { at, moved: pushed(boxes, from, [target], at.x) };
}

const overlapsInX = (one: Box, other: Box) =>
  one.x < other.x + other.width + GAP && other.x < one.x + one.width + GAP;

const overlapsInY = (one: Pick<Box, "y" | "height">, other: Pick<Box, "y" | "height">) =>
  one.y < other.y + other.height + GAP / 2 && other.y < one.y + one.height + GAP / 2;

/** Moves the boxes of a row that are in the column at `x` or to the right of it, so that the column is free. */
function pushed(
  boxes: ReadonlyMap<string, Box>,
  from: string,
  row: readonly Box[],
  x: number,
): Map<string, Position> {
  const top = Math.min(...row.map((box) => box.y));
  let band = { y: top, height: Math.max(...row.map((box) => box.y + box.height)) - top };
  const right = [...boxes].filter(([id, box]) => id !== from && box.x + box.width > x - GAP);
  const members = new Map<string, Box>();
  // A box that sticks out of the row would run into the boxes next to it there, so these move as well.
  for (let size = -1; size < members.size;) {
    size = members.size;
    for (const [id, box] of right) {
      if (!members.has(id) && overlapsInY(box, band)) {
        members.set(id, box);
        const y = Math.min(band.y, box.y);
        band = { y, height: Math.max(band.y + band.height, box.y + box.height) - y };
      }
    }
  }
  const by = Math.max(0, x + COLUMN - Math.min(...[...members.values()].map((box) => box.x)));
  return new Map(by === 0 ? [] : [...members].map(([id, box]) => [id, { x: box.x + by, y: box.y }] as const));
}
