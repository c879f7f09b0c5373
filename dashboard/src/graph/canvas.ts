/** The place of a task: its upper left corner, in pixels at 100%. */
export interface Position {
  x: number;
  y: number;
}
export type TaskPositions = ReadonlyMap<string, Position>;

/** A text beside the tasks, for the people who edit the agent. */
export interface Note extends Position {
  id: string;
  width: number;
  height: number;
  text: string;
}

/** What the graph shows and the definition does not contain. */
export interface Canvas {
  positions: TaskPositions;
  notes: readonly Note[];
}

export const EMPTY_CANVAS: Canvas = { positions: new Map(), notes: [] };

/** Notes share the graph with the tasks, so their node IDs have a prefix that no task ID may have. */
const NOTE_PREFIX = "note:";
export const noteNodeId = (id: string) => `${NOTE_PREFIX}${id}`;
export const noteIdOf = (nodeId: string): string | null =>
  nodeId.startsWith(NOTE_PREFIX) ? nodeId.slice(NOTE_PREFIX.length) : null;

/** Keeps the position of a task if its ID is the only one that changed. */
export function followRename(canvas: Canvas, before: readonly string[], after: readonly string[]): Canvas {
  const changed = before.length === after.length ? after.filter((id, index) => id !== before[index]) : [];
  const [to] = changed;
  const from = to === undefined ? undefined : before[after.indexOf(to)];
  const position = from === undefined ? undefined : canvas.positions.get(from);
  if (changed.length !== 1 || from === undefined || to === undefined || !position) {
    return canvas;
  }
  const positions = new Map(canvas.positions);
  positions.delete(from);
  return { ...canvas, positions: positions.set(to, position) };
}

/** Moves tasks and notes, by the IDs of their nodes. */
export function place(canvas: Canvas, moved: TaskPositions): Canvas {
  const positions = new Map(canvas.positions);
  for (const [id, { x, y }] of moved) {
    if (noteIdOf(id) === null) {
      positions.set(id, { x: Math.round(x), y: Math.round(y) });
    }
  }
  const notes = canvas.notes.map((note) => {
    const to = moved.get(noteNodeId(note.id));
    return to ? { ...note, x: Math.round(to.x), y: Math.round(to.y) } : note;
  });
  return { positions, notes };
}

/** Adds an empty note; also returns its ID. */
export function addNote(canvas: Canvas, at: Position): { canvas: Canvas; id: string } {
  const taken = new Set(canvas.notes.map((note) => note.id));
  let count = 1;
  while (taken.has(`note_${count}`)) {
    count++;
  }
  const id = `note_${count}`;
  const note = { id, x: Math.round(at.x), y: Math.round(at.y), width: 240, height: 120, text: "" };
  return { canvas: { ...canvas, notes: [...canvas.notes, note] }, id };
}

export function changeNote(canvas: Canvas, id: string, change: Partial<Note>): Canvas {
  return {
    ...canvas,
    notes: canvas.notes.map((note) => (note.id === id ? { ...note, ...change } : note)),
  };
}

/** Removes the notes among the nodes. */
export function removeNotes(canvas: Canvas, nodeIds: ReadonlySet<string>): Canvas {
  const notes = canvas.notes.filter((note) => !nodeIds.has(noteNodeId(note.id)));
  return notes.length === canvas.notes.length ? canvas : { ...canvas, notes };
}
