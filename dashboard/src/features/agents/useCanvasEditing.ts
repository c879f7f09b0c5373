import { useMemo, useState } from "react";
import {
  addNote,
  noteIdOf,
  noteNodeId,
  place,
  removeNotes,
  type Canvas,
  type Position,
} from "../../graph/canvas";
import { copyOf, freeOffset, parseFragment, paste, tasksOf } from "../../graph/clipboard";
import {
  asDocument,
  edgesOf,
  mainOutputOf,
  type Connection,
  type Task,
  type TaskKind,
  type WorkflowDocument,
} from "../../graph/document";
import { addTask, addTaskAfter, insertOnEdge, removeEdges, removeTask } from "../../graph/documentEdits";
import { roomFor } from "../../graph/insertion";
import { arrange, freePlace, heightOf, layout, NODE_WIDTH, placeAfter } from "../../graph/layout";
import type { Draft } from "./useDraftSaving";

/** Where a new task goes: after a task or an output, on an edge, or to a place on the canvas. */
export interface NewTaskPlace {
  /** The task before it, whose value it gets unless its inputs come from a tool or code. */
  following?: string;
  after?: Connection["from"] | string;
  edge?: string;
  at?: Position;
}

interface Options {
  draft: Draft;
  /** The number of columns that the canvas shows side by side. */
  perRow: number;
  selection: ReadonlySet<string>;
  onSelect: (nodes: ReadonlySet<string>) => void;
  /** Opens the form of a task and moves the focus there. */
  onOpen: (taskId: string) => void;
}

/** The edits of the canvas. Each is one step of the undo history. */
export function useCanvasEditing({ draft, perRow, selection, onSelect, onOpen }: Options) {
  const { document, canvas } = draft;
  // The automatic layout stays as it was when the graph was opened or tidied up, so that new edges move nothing.
  const [arranged, setArranged] = useState({ document, perRow });
  const automatic = useMemo(() => layout(arranged.document, arranged.perRow), [arranged]);
  const shown = useMemo(
    () => arrange(document, canvas.positions, automatic),
    [document, canvas.positions, automatic],
  );
  /** The canvas with the places of all tasks. */
  const placed: Canvas = { ...canvas, positions: shown };

  const add = (kind: TaskKind, fields: Partial<Task> = {}, target: NewTaskPlace = {}) => {
    const following =
      target.following ?? (Object.keys(target).length === 0 ? onlyTaskOf(selection) : undefined);
    const where = following === undefined ? target : { after: predecessorOf(document, kind, following) };
    const { document: grown, id } = grow(document, kind, fields, where);
    const task = grown.tasks.find((each) => each.id === id)!;
    const { after } = where;
    const [anchor = null] =
      after === undefined ? tasksOf(selection).slice(-1) : [typeof after === "string" ? after : after.task];
    const room = where.edge ? roomOn(document, placed, where.edge, heightOf(task), perRow) : null;
    const at = room?.at ?? where.at ?? placeAfter(document, shown, anchor, perRow);
    const cleared = room ? place(placed, room.moved) : placed;
    const position = freePlace(document, cleared.positions, at, heightOf(task));
    // Opening another task ends the one that is being filled in, so it comes first.
    onOpen(id);
    draft.changeBoth(grown, place(cleared, new Map([[id, position]])));
  };

  const remove = (nodes: ReadonlySet<string>, edges: readonly string[] = []) => {
    const left = tasksOf(nodes).reduce(removeTask, removeEdges(document, [...edges]));
    draft.changeBoth(left, removeNotes(placed, nodes));
    onSelect(new Set());
  };

  /** The new nodes; null if the text has none. */
  const pasteText = (text: string): ReadonlySet<string> | null => {
    const fragment = parseFragment(text);
    if (!fragment) {
      return null;
    }
    const bottom = Math.max(
      0,
      ...document.tasks.map((task) => (shown.get(task.id)?.y ?? 0) + heightOf(task) + 64),
    );
    for (const [id, at] of layout(asDocument(fragment), perRow)) {
      fragment.positions[id] ??= { x: at.x, y: at.y + bottom };
    }
    const pasted = paste(document, placed, fragment, freeOffset(document, shown, canvas.notes, fragment));
    draft.changeBoth(pasted.document, pasted.canvas);
    onSelect(pasted.nodes);
    return pasted.nodes;
  };

  const copied = (nodes: ReadonlySet<string>) => copyOf(document, canvas, shown, nodes);

  return {
    shown,
    add,
    remove,
    copied,
    pasteText,
    duplicate: (nodes: ReadonlySet<string>) => {
      const text = copied(nodes);
      return text === null ? null : pasteText(text);
    },
    /** Moves nodes to places; `key` and `since` identify a drag, which is one step. */
    moveTo: (moved: ReadonlyMap<string, Position>, key: string, since?: number) =>
      draft.arrange(
        (now) => place({ ...now, positions: new Map([...shown, ...now.positions]) }, moved),
        key,
        since,
      ),
    moveBy: (nodes: ReadonlySet<string>, by: Position) => {
      const moved = new Map<string, Position>();
      for (const id of nodes) {
        const noteId = noteIdOf(id);
        const at = noteId === null ? shown.get(id) : canvas.notes.find((note) => note.id === noteId);
        if (at) {
          moved.set(id, { x: at.x + by.x, y: at.y + by.y });
        }
      }
      draft.arrange(() => place(placed, moved), `nudge ${[...nodes].join()}`);
    },
    addNote: (at?: Position) => {
      const all = [...shown.values()];
      const above = {
        x: Math.min(0, ...all.map(({ x }) => x)),
        y: Math.min(0, ...all.map(({ y }) => y)) - 150,
      };
      const added = addNote(canvas, at ?? above);
      draft.arrange(() => added.canvas, null);
      onSelect(new Set([noteNodeId(added.id)]));
      return noteNodeId(added.id);
    },
    tidy: (columns: number) => {
      setArranged({ document, perRow: columns });
      draft.arrange((now) => ({ ...now, positions: new Map() }), null);
    },
  };
}

/** The one selected task. */
function onlyTaskOf(selection: ReadonlySet<string>): string | undefined {
  const [only, ...more] = tasksOf(selection);
  return more.length > 0 ? undefined : only;
}

/** What a new task is connected to: an output of a task, or the task itself. */
function predecessorOf(document: WorkflowDocument, kind: TaskKind, id: string): NewTaskPlace["after"] {
  const task = document.tasks.find((each) => each.id === id);
  const output = task && kind !== "App" && kind !== "Coder" ? mainOutputOf(task) : undefined;
  return output ? { task: id, output: output.name } : id;
}

function grow(
  document: WorkflowDocument,
  kind: TaskKind,
  fields: Partial<Task>,
  { after, edge }: NewTaskPlace,
) {
  if (edge !== undefined) {
    return insertOnEdge(document, edge, kind, fields);
  }
  return after === undefined ? addTask(document, kind, fields) : addTaskAfter(document, after, kind, fields);
}

/** The place of a task on an edge, with what makes room for it. */
function roomOn(
  document: WorkflowDocument,
  { positions, notes }: Canvas,
  edgeId: string,
  height: number,
  perRow: number,
) {
  const [list, index] = edgeId.split("/");
  const connection = list === "connection" ? document.connections?.[Number(index)] : undefined;
  const dependency = list === "dependency" ? document.dependencies?.[Number(index)] : undefined;
  const from = connection?.from.task ?? dependency?.from ?? "";
  const boxes = new Map(
    document.tasks.map((task) => {
      const { x, y } = positions.get(task.id) ?? { x: 0, y: 0 };
      return [task.id, { x, y, width: NODE_WIDTH, height: heightOf(task) }];
    }),
  );
  for (const note of notes) {
    boxes.set(noteNodeId(note.id), note);
  }
  const followers = new Set(
    edgesOf(document).flatMap(([source, target]) => (source === from ? [target] : [])),
  );
  return roomFor({
    boxes,
    from,
    to: connection?.to.task ?? dependency?.to ?? "",
    branches: followers.size > 1,
    height,
    perRow,
  });
}

export type CanvasEditing = ReturnType<typeof useCanvasEditing>;
