import type { Position } from "../../graph/canvas";
import type { MenuAction, MenuPlace } from "./CanvasMenu";
import { readClipboard, writeClipboard } from "./systemClipboard";
import type { NewTaskPlace } from "./useCanvasEditing";

interface MenuTargets {
  open: (node: string) => void;
  copied: (nodes: ReadonlySet<string>) => string | null;
  duplicate: (nodes: ReadonlySet<string>) => void;
  remove: (nodes: ReadonlySet<string>) => void;
  removeEdge: (edge: string) => void;
  conditionsOf: (edge: string) => MenuAction[];
  connect: (task: string) => void;
  runAlone: (task: string) => void;
  openPalette: (place: NewTaskPlace) => void;
  newNote: (at: Position) => void;
  paste: (text: string) => void;
  selectAll: () => void;
  find: () => void;
  tidy: () => void;
}

/** The context menu of a task, a note, an edge or the canvas. */
export function menuActions(
  on: MenuTargets,
  target: MenuPlace["target"],
  id: string,
  nodes: ReadonlySet<string>,
  at: Position,
): MenuAction[] {
  const selected: MenuAction[] = [
    { label: "Copy", keys: "Ctrl C", onChoose: () => void writeClipboard(on.copied(nodes)) },
    { label: "Duplicate", keys: "Ctrl D", onChoose: () => on.duplicate(nodes) },
    { label: "Delete", keys: "Del", danger: true, onChoose: () => on.remove(nodes) },
  ];
  switch (target) {
    case "task":
    case "note":
      return nodes.size > 1
        ? selected
        : [
            { label: target === "note" ? "Edit text" : "Open", keys: "Enter", onChoose: () => on.open(id) },
            ...(target === "task"
              ? [
                  {
                    label: "Add a task after this",
                    keys: "A",
                    onChoose: () => on.openPalette({ following: id }),
                  },
                  { label: "Connect to another task", keys: "C", onChoose: () => on.connect(id) },
                  { label: "Run this task", onChoose: () => on.runAlone(id) },
                ]
              : []),
            ...selected,
          ];
    case "edge":
      return [
        { label: "Insert a task here", onChoose: () => on.openPalette({ edge: id }) },
        ...on.conditionsOf(id),
        { label: "Delete connection", keys: "Del", danger: true, onChoose: () => on.removeEdge(id) },
      ];
    default:
      return [
        { label: "Add a task", keys: "A", onChoose: () => on.openPalette({ at }) },
        { label: "Add note", keys: "N", onChoose: () => on.newNote(at) },
        { label: "Paste", keys: "Ctrl V", onChoose: () => void readClipboard().then(on.paste) },
        { label: "Select everything", keys: "Ctrl A", onChoose: on.selectAll },
        { label: "Find a task", keys: "/", onChoose: on.find },
        { label: "Tidy up", onChoose: on.tidy },
      ];
  }
}
