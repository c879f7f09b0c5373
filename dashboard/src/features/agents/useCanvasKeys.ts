import { useEffect, useEffectEvent, type RefObject } from "react";
import { isTyping, useShortcutHelp, type ShortcutGroup } from "../../components/shortcuts";
import type { Position } from "../../graph/canvas";

const SHORTCUTS: ShortcutGroup = {
  title: "Canvas",
  shortcuts: [
    ["Enter", "Open the focused task"],
    ["Esc", "Close the task or clear the selection"],
    ["Tab", "Go to the next task or connection"],
    ["←+↑+→+↓", "Move the selected tasks (with Shift: further)"],
    ["Delete", "Delete the selection"],
    ["A", "Add a task by search, after the focused or the selected task"],
    ["C", "Connect the focused or the selected task to another one"],
    ["N", "Add a note"],
    ["/", "Find a task"],
    ["Ctrl+C / Ctrl+X / Ctrl+V", "Copy, cut and paste tasks, also between agents"],
    ["Ctrl+D", "Duplicate"],
    ["Ctrl+A", "Select everything"],
    ["Shift+click", "Select several tasks (or drag a box around them)"],
    ["Space+drag", "Move the canvas (or scroll)"],
    ["Shift+F10", "Open the context menu"],
    ["Ctrl+Z / Ctrl+Shift+Z", "Undo and redo"],
    ["Ctrl+S", "Save the draft"],
    ["F", "Full screen"],
  ],
};

const STEP = 10;
const LARGE_STEP = 50;
const ARROWS: Record<string, Position> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The element of the graph that has the focus. */
export type FocusedElement = { node: string } | { edge: string } | null;

interface Actions {
  selection: ReadonlySet<string>;
  open: (node: string) => void;
  selectEdge: (edge: string) => void;
  clear: () => void;
  move: (nodes: ReadonlySet<string>, by: Position) => void;
  remove: (nodes: ReadonlySet<string>, edges: string[]) => void;
  selectAll: () => void;
  duplicate: (nodes: ReadonlySet<string>) => void;
  /** The text for the clipboard; null if there is nothing to copy. */
  copied: (nodes: ReadonlySet<string>) => string | null;
  paste: (text: string) => void;
  /** Called with the focused node. */
  addTask: (focused: string | null) => void;
  /** Called with the focused node, or else with the selected ones. */
  connect: (nodes: ReadonlySet<string>) => void;
  addNote: () => void;
  find: () => void;
  toggleFullScreen: () => void;
}

function focusedElement(target: EventTarget | null): FocusedElement {
  const element = target instanceof Element ? target : null;
  const node = element?.closest<HTMLElement>(".react-flow__node")?.dataset.id;
  const edge = element?.closest<SVGElement>(".react-flow__edge")?.dataset.id;
  return node !== undefined ? { node } : edge !== undefined ? { edge } : null;
}

/** The focused node, unless it is part of the selection, or else the selection. */
function acting(event: Event, { selection }: Actions): ReadonlySet<string> {
  const focused = focusedElement(event.target);
  return focused && "node" in focused && !selection.has(focused.node) ? new Set([focused.node]) : selection;
}

/** Each of these returns whether it handled the key. */
function pressWithCtrl(event: KeyboardEvent, actions: Actions): boolean {
  const key = event.shiftKey ? null : event.key.toLowerCase();
  if (key === "a") {
    actions.selectAll();
  } else if (key === "d") {
    actions.duplicate(acting(event, actions));
  }
  return key === "a" || key === "d";
}

function press(event: KeyboardEvent, actions: Actions): boolean {
  const nodes = acting(event, actions);
  const arrow = ARROWS[event.key];
  if (arrow) {
    const step = event.shiftKey ? LARGE_STEP : STEP;
    actions.move(nodes, { x: arrow.x * step, y: arrow.y * step });
    return nodes.size > 0;
  }
  const focused = focusedElement(event.target);
  switch (event.key) {
    case "Enter":
    case " ":
      return pressEnter(event, focused, actions);
    case "Escape":
      actions.clear();
      return true;
    case "Delete":
    case "Backspace":
      actions.remove(nodes, focused && "edge" in focused ? [focused.edge] : []);
      return true;
    default:
      return pressLetter(event, focused, actions);
  }
}

function pressEnter(event: KeyboardEvent, focused: FocusedElement, actions: Actions): boolean {
  if (!focused || (event.target instanceof Element && event.target.closest("button"))) {
    return false;
  }
  if ("node" in focused) {
    actions.open(focused.node);
  } else {
    actions.selectEdge(focused.edge);
  }
  return true;
}

function pressLetter(event: KeyboardEvent, focused: FocusedElement, actions: Actions): boolean {
  const addTask = () => actions.addTask(focused && "node" in focused ? focused.node : null);
  const action = {
    a: addTask,
    c: () => actions.connect(acting(event, actions)),
    n: actions.addNote,
    "/": actions.find,
    f: actions.toggleFullScreen,
  }[event.key.toLowerCase()];
  action?.();
  return action !== undefined;
}

/** The keyboard and the clipboard of the canvas, while no field and no dialog has the focus. */
export function useCanvasKeys(canvas: RefObject<HTMLElement | null>, actions: Actions) {
  useShortcutHelp(SHORTCUTS);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!applies(event, canvas.current) || event.altKey) {
      return;
    }
    if (event.ctrlKey || event.metaKey ? pressWithCtrl(event, actions) : press(event, actions)) {
      event.preventDefault();
      if (event.key === "Delete" || event.key === "Backspace") {
        // Without the deleted element, the focus would be lost.
        canvas.current?.focus({ preventScroll: true });
      }
    }
  });
  const onClipboard = useEffectEvent((event: ClipboardEvent) => {
    if (!applies(event, canvas.current)) {
      return;
    }
    if (event.type === "paste") {
      event.preventDefault();
      actions.paste(event.clipboardData?.getData("text/plain") ?? "");
      return;
    }
    const nodes = acting(event, actions);
    const text = window.getSelection()?.isCollapsed === false ? null : actions.copied(nodes);
    if (text !== null) {
      event.preventDefault();
      event.clipboardData?.setData("text/plain", text);
      if (event.type === "cut") {
        actions.remove(nodes, []);
      }
    }
  });
  useEffect(() => {
    const keyDown = (event: KeyboardEvent) => onKeyDown(event);
    const clipboard = (event: ClipboardEvent) => onClipboard(event);
    window.addEventListener("keydown", keyDown);
    for (const type of CLIPBOARD_EVENTS) {
      document.addEventListener(type, clipboard);
    }
    return () => {
      window.removeEventListener("keydown", keyDown);
      for (const type of CLIPBOARD_EVENTS) {
        document.removeEventListener(type, clipboard);
      }
    };
  }, []);
}

const CLIPBOARD_EVENTS = ["copy", "cut", "paste"] as const;

function applies(event: Event, canvas: HTMLElement | null): boolean {
  return (
    !event.defaultPrevented &&
    !isTyping(event.target) &&
    // After a navigation, the heading has the focus.
    (event.target === document.body ||
      (event.target instanceof Element && event.target.matches("h1")) ||
      (canvas?.contains(event.target as Node) ?? false)) &&
    document.querySelector("[aria-modal=true], [role=menu]") === null
  );
}
