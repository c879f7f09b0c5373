import type { Canvas, Note, Position } from "./canvas";
import { noteIdOf, noteNodeId } from "./canvas";
import { asDocument, type Connection, type Dependency, type Task, type WorkflowDocument } from "./document";
import { withRenamedTasks } from "./controlFlow";
import { freeId, freeName } from "./documentEdits";
import { heightOf, NODE_WIDTH } from "./layout";
import { overlap } from "./viewport";

/** Copied tasks and notes as JSON text, so that they can be pasted into another agent. */
export interface Fragment {
  tasks: Task[];
  connections: Connection[];
  dependencies: Dependency[];
  positions: Record<string, Position>;
  notes: Note[];
}

/** The selected tasks and notes with the edges between them; null if there are none. */
export function copyOf(
  document: WorkflowDocument,
  canvas: Canvas,
  shown: ReadonlyMap<string, Position>,
  selection: ReadonlySet<string>,
): string | null {
  const tasks = document.tasks.filter((task) => selection.has(task.id));
  const notes = canvas.notes.filter((note) => selection.has(noteNodeId(note.id)));
  if (tasks.length + notes.length === 0) {
    return null;
  }
  const ids = new Set(tasks.map((task) => task.id));
  const positions = Object.fromEntries([...shown].filter(([id]) => ids.has(id)));
  const fragment: Fragment = {
    tasks,
    connections: (document.connections ?? []).filter(
      (each) => ids.has(each.from.task) && ids.has(each.to.task),
    ),
    dependencies: (document.dependencies ?? []).filter((each) => ids.has(each.from) && ids.has(each.to)),
    positions,
    notes,
  };
  return JSON.stringify(fragment, null, 2);
}

const isPosition = (value: unknown): value is Position => {
  const { x, y } = (value ?? {}) as Record<string, unknown>;
  return Number.isFinite(x) && Number.isFinite(y);
};

const isNote = (value: unknown): value is Note => {
  const { width, height, text } = (value ?? {}) as Record<string, unknown>;
  return isPosition(value) && Number.isFinite(width) && Number.isFinite(height) && typeof text === "string";
};

/** Reads copied tasks, or the tasks of an exported agent; null for any other text. */
export function parseFragment(text: string): Fragment | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return null;
  }
  const { positions, notes } = value as Record<string, unknown>;
  const { tasks, connections = [], dependencies = [] } = asDocument(value);
  const known = tasks.filter((task) => task.id !== "");
  const foundNotes = Array.isArray(notes) ? notes.filter(isNote) : [];
  return known.length + foundNotes.length === 0
    ? null
    : {
        tasks: known,
        connections: connections ?? [],
        dependencies: dependencies ?? [],
        positions: Object.fromEntries(Object.entries(positions ?? {}).filter(([, at]) => isPosition(at))),
        notes: foundNotes,
      };
}

interface Pasted {
  document: WorkflowDocument;
  canvas: Canvas;
  /** The IDs of the pasted nodes. */
  nodes: ReadonlySet<string>;
}

/** Adds a fragment under free IDs, moved by an offset. Tasks without a position are left to the layout. */
export function paste(
  document: WorkflowDocument,
  canvas: Canvas,
  fragment: Fragment,
  offset: Position,
): Pasted {
  const ids = new Map<string, string>();
  let grown = document;
  for (const task of fragment.tasks) {
    const id = freeId(grown, task.id);
    ids.set(task.id, id);
    grown = { ...grown, tasks: [...grown.tasks, { ...task, id, name: freeName(grown, task.name) }] };
  }
  const own = new Set(ids.values());
  grown = {
    ...grown,
    tasks: grown.tasks.map((task) => (own.has(task.id) ? withRenamedTasks(task, ids) : task)),
  };
  const has = (...tasks: string[]) => tasks.every((id) => ids.has(id));
  const connections = fragment.connections
    .filter(({ from, to }) => has(from.task, to.task))
    .map(({ from, to }) => ({
      from: { ...from, task: ids.get(from.task)! },
      to: { ...to, task: ids.get(to.task)! },
    }));
  const dependencies = fragment.dependencies
    .filter(({ from, to }) => has(from, to))
    .map(({ from, to }) => ({ from: ids.get(from)!, to: ids.get(to)! }));
  const positions = new Map(canvas.positions);
  for (const [id, { x, y }] of Object.entries(fragment.positions)) {
    const task = ids.get(id);
    if (task !== undefined) {
      positions.set(task, { x: Math.round(x + offset.x), y: Math.round(y + offset.y) });
    }
  }
  const notes = fragment.notes.map((note, index) => ({
    ...note,
    id: freeNoteId(canvas.notes, note.id, index),
    x: Math.round(note.x + offset.x),
    y: Math.round(note.y + offset.y),
  }));
  return {
    document: {
      ...grown,
      connections: [...(document.connections ?? []), ...connections],
      dependencies: [...(document.dependencies ?? []), ...dependencies],
    },
    canvas: { positions, notes: [...canvas.notes, ...notes] },
    nodes: new Set([...ids.values(), ...notes.map((note) => noteNodeId(note.id))]),
  };
}

function freeNoteId(taken: readonly Note[], preferred: string, index: number): string {
  const ids = new Set(taken.map((note) => note.id));
  let count = taken.length + index + 1;
  while (ids.has(`note_${count}`)) {
    count++;
  }
  return ids.has(preferred) ? `note_${count}` : preferred;
}

const STEP = 32;
const GAP = 16;

/** The smallest move downwards after which the copies cover no task and no note. */
export function freeOffset(
  document: WorkflowDocument,
  shown: ReadonlyMap<string, Position>,
  notes: readonly Note[],
  fragment: Fragment,
): Position {
  const taken = [...boxesOf(document.tasks, shown), ...notes];
  const copies = [...boxesOf(fragment.tasks, new Map(Object.entries(fragment.positions))), ...fragment.notes];
  let y = 0;
  while (copies.some((copy) => taken.some((box) => overlap({ ...copy, y: copy.y + y }, box)))) {
    y += STEP;
  }
  return { x: 0, y };
}

const boxesOf = (tasks: readonly Task[], positions: ReadonlyMap<string, Position>) =>
  tasks.flatMap((task) => {
    const at = positions.get(task.id);
    return at ? [{ ...at, width: NODE_WIDTH, height: heightOf(task) + GAP }] : [];
  });

/** The tasks among the selected nodes. */
export const tasksOf = (selection: ReadonlySet<string>): string[] =>
  [...selection].filter((id) => noteIdOf(id) === null);
