import {
  Background,
  MiniMap,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useReactFlow,
} from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useComputedColorScheme } from "@mantine/core";
import { useElementSize, useMergedRef } from "@mantine/hooks";
import {
  useCallback,
  useMemo,
  useRef,
  useState,
  type FocusEvent,
  type MouseEvent,
  type RefObject,
} from "react";
import { isTyping } from "../../components/shortcuts";
import { usePrinting } from "../../components/usePrinting";
import { useStored } from "../../components/useStored";
import { changeNote, noteIdOf, type Position } from "../../graph/canvas";
import { tasksOf } from "../../graph/clipboard";
import { EdgeActionsContext, FlowEdge } from "../../graph/FlowEdge";
import { layout } from "../../graph/layout";
import { NoteNode, NoteTextContext } from "../../graph/NoteNode";
import { onPaper, PAPER_COLUMNS } from "../../graph/paper";
import { TaskNode, type TaskRun } from "../../graph/TaskNode";
import graph from "../../graph/graph.module.css";
import { conditionActions, endsOf } from "./branching";
import { CanvasMenu, type MenuAction, type MenuPlace } from "./CanvasMenu";
import { menuActions } from "./canvasMenuActions";
import { CanvasControls } from "./CanvasControls";
import { focusedIn, focusFirst } from "./focusNode";
import { useKindDrop } from "./kindDrag";
import { CanvasToolbar } from "./CanvasToolbar";
import { ConnectDialog } from "./ConnectDialog";
import { EmptyHint } from "./EmptyHint";
import { Refusal } from "./Refusal";
import { SelectionBar } from "./SelectionBar";
import { writeClipboard } from "./systemClipboard";
import { TaskPalette, TaskSearch } from "./TaskPalette";
import { useCanvasChanges } from "./useCanvasChanges";
import { useCanvasEditing, type NewTaskPlace } from "./useCanvasEditing";
import { useCanvasElements } from "./useCanvasElements";
import { useCanvasKeys } from "./useCanvasKeys";
import { useConnecting, useRefusal } from "./useConnecting";
import type { Draft } from "./useDraftSaving";
import { boundsOf, columnCount, initialViewport, isNarrow, useGraphView } from "./useGraphView";
import { nodesOf } from "./useSelection";
import { useSubtitles } from "./useSubtitles";
import type { ValidationIssue } from "../../values/validation";
import classes from "./editor.module.css";

const NODE_TYPES = { task: TaskNode, note: NoteNode };
const EDGE_TYPES = { flow: FlowEdge };
const PAN_BUTTONS = [1];
const MULTI_SELECT_KEYS = ["Shift", "Meta", "Control"];

interface Props {
  draft: Draft;
  issues: ValidationIssue[];
  selection: ReadonlySet<string>;
  /** Tasks of a test run, whose status their nodes show. */
  runs?: readonly TaskRun[];
  onSelect: (nodes: ReadonlySet<string>) => void;
  /** Opens the form of a task and moves the focus there. */
  onOpen: (taskId: string, field?: string) => void;
  /** Opens the form that runs a task alone. */
  onRunAlone: (taskId: string) => void;
  onToggleFullScreen: () => void;
}

/** The canvas of the editor. The graph is drawn as soon as the size of the canvas is known. */
export function EditorGraph(props: Props) {
  const { ref, width, height } = useElementSize();
  const element = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={useMergedRef(ref, element)}
      className={`${graph.canvas} ${classes.graph}`}
      tabIndex={-1}
      // With Shift, the browser would select the texts of the page as well.
      onMouseDownCapture={(event) => {
        if (event.shiftKey && !isTyping(event.target)) {
          event.preventDefault();
        }
      }}
    >
      {width > 0 && height > 0 && (
        <ReactFlowProvider>
          <Graph {...props} element={element} width={width} height={height} />
        </ReactFlowProvider>
      )}
    </div>
  );
}

interface GraphProps extends Props {
  element: RefObject<HTMLDivElement | null>;
  width: number;
  height: number;
}

/** The dialog or menu that is open over the canvas. */
type Overlay =
  | { kind: "palette"; place: NewTaskPlace }
  | { kind: "find" }
  | { kind: "connect"; task: string }
  | { kind: "menu"; place: MenuPlace; title?: string; actions: MenuAction[] };

/** The overlay, with the element that gets the focus back. */
type Opened = Overlay & { origin: Element | null };

function Graph({ element, width, height, ...props }: GraphProps) {
  const { draft, selection, onSelect, onOpen } = props;
  const { document, canvas } = draft;
  const size = useMemo(() => ({ width, height }), [width, height]);
  const scheme = useComputedColorScheme("light");
  const subtitleOf = useSubtitles();
  const perRow = columnCount(document, canvas, size);
  const editing = useCanvasEditing({ draft, perRow, selection, onSelect, onOpen });
  const { shown } = editing;
  const changes = useCanvasChanges({ draft, editing, selection, onSelect });
  const { selectedEdges, selectEdges } = changes;
  const printing = usePrinting();
  const drawn = useMemo(
    () => (printing && canvas.positions.size === 0 ? layout(document, PAPER_COLUMNS) : shown),
    [printing, canvas.positions, document, shown],
  );
  const elements = useCanvasElements({
    ...props,
    selection: changes.shownSelection,
    shown: drawn,
    selectedEdges,
    subtitleOf,
  });
  const [viewport] = useState(() => initialViewport(document, canvas, shown, size));
  const view = useGraphView(document, canvas, shown, size, selection);
  const [refusal, refuse] = useRefusal();
  const [opened, setOpened] = useState<Opened | null>(null);
  const show = (overlay: Overlay, origin: Element | null = focusedIn(element.current)) =>
    // A dialog that a menu item opened returns the focus to where the menu was opened.
    setOpened((now) => ({ ...overlay, origin: now?.origin ?? origin }));
  const openPalette = (place: NewTaskPlace) => show({ kind: "palette", place });
  const openCondition = (task: string) => onOpen(task, "when");
  const openChoices = (choices: MenuAction[], at: Position, target: string) => {
    const title = `“${document.tasks.find(({ id }) => id === target)?.name ?? target}”`;
    show({ kind: "menu", place: { target: "edge", ...at }, title, actions: choices }, element.current);
  };
  const connecting = useConnecting({
    document,
    onChange: draft.change,
    onRefuse: refuse,
    onAddTask: openPalette,
    onConnected: (edge) => selectEdges(new Set([edge])),
    onOpenCondition: openCondition,
    onChoose: openChoices,
  });
  const [hasMap, setHasMap] = useStored("editor.minimap", true);

  const remove = (nodes: ReadonlySet<string>, edges: readonly string[] = []) => {
    const all = [...new Set([...edges, ...selectedEdges])];
    if (nodes.size + all.length > 0) {
      selectEdges(new Set());
      editing.remove(nodes, all);
    }
  };
  const conditionsOf = (edge: string) =>
    conditionActions(document, edge, {
      apply: (result) => typeof result !== "string" && draft.change(result),
      openCondition,
    });
  const removeEdge = (edge: string) => {
    selectEdges(new Set());
    editing.remove(new Set(), [edge]);
  };
  const writeNote = (node: string) =>
    // The note may be drawn only after this update.
    requestAnimationFrame(() =>
      element.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(node)}"] textarea`)?.focus(),
    );
  const open = (node: string) => (noteIdOf(node) === null ? onOpen(node) : writeNote(node));
  const newNote = (at?: Position) => writeNote(editing.addNote(at));
  /** Keys apply to the focused node first, so it loses the focus when others are selected. */
  const focusCanvas = () => element.current?.focus({ preventScroll: true });
  const paste = (text: string) => {
    focusCanvas();
    const pasted = editing.pasteText(text);
    refuse(pasted === null ? "There are no tasks on the clipboard. Copy tasks of an agent first." : null);
    focusFirst(pasted);
  };
  const tidy = () => {
    view.keep();
    editing.tidy(perRow);
    view.fit(layout(document, perRow));
  };
  const actions = {
    selection,
    open,
    paste,
    remove,
    removeEdge,
    conditionsOf,
    newNote,
    tidy,
    openPalette,
    duplicate: (nodes: ReadonlySet<string>) => {
      focusCanvas();
      focusFirst(editing.duplicate(nodes));
    },
    copied: editing.copied,
    find: () => show({ kind: "find" }),
    connect: (task: string) => show({ kind: "connect", task }),
    runAlone: props.onRunAlone,
    selectAll: () => {
      focusCanvas();
      onSelect(new Set(nodesOf(draft)));
    },
  };
  useCanvasKeys(element, {
    ...actions,
    selectEdge: (edge) => selectEdges(new Set([edge])),
    clear: () => {
      onSelect(new Set());
      selectEdges(new Set());
    },
    move: editing.moveBy,
    addTask: (node) => openPalette(node === null || noteIdOf(node) !== null ? {} : { following: node }),
    connect: (nodes) => {
      const [only, ...more] = tasksOf(nodes);
      if (only !== undefined && more.length === 0) {
        actions.connect(only);
      }
    },
    addNote: () => newNote(),
    toggleFullScreen: props.onToggleFullScreen,
  });
  const { screenToFlowPosition } = useReactFlow();
  const openMenu = (event: MouseEvent | globalThis.MouseEvent, target: MenuPlace["target"], id = "") => {
    event.preventDefault();
    const place = { target, x: event.clientX, y: event.clientY };
    const isNode = target === "task" || target === "note";
    const nodes = !isNode || selection.has(id) ? selection : new Set([id]);
    if (nodes !== selection) {
      onSelect(nodes);
    }
    show({
      kind: "menu",
      place,
      actions: menuActions(actions, target, id, nodes, screenToFlowPosition(place)),
    });
  };
  const close = () => {
    const origin = opened?.origin;
    // A dialog that the menu item opened stays open.
    setOpened((now) => (now === opened ? null : now));
    (origin instanceof HTMLElement || origin instanceof SVGElement ? origin : element.current)?.focus({
      preventScroll: true,
    });
  };
  const onFocus = ({ target }: FocusEvent) => {
    const node = target.closest<HTMLElement>(".react-flow__node")?.dataset.id;
    if (node !== undefined && target.matches(":focus-visible")) {
      view.revealNode(node);
    }
  };
  const drop = useKindDrop(editing.add);
  const { arrange } = draft;
  const setNoteText = useCallback(
    (id: string, text: string) => arrange((now) => changeNote(now, id, { text }), `note ${id}`),
    [arrange],
  );
  return (
    <EdgeActionsContext
      value={{
        onInsert: (edge) => openPalette({ edge }),
        onDelete: removeEdge,
        onCondition: (edge, at) => {
          const [only, ...more] = conditionsOf(edge);
          if (only && more.length > 0) {
            openChoices([only, ...more], at, endsOf(document, edge)?.to ?? "");
          } else {
            only?.onChoose();
          }
        },
      }}
    >
      <NoteTextContext value={setNoteText}>
        <ReactFlow
          {...elements}
          {...connecting}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          colorMode={scheme}
          style={onPaper(boundsOf(document, canvas, drawn))}
          defaultViewport={viewport}
          minZoom={0.2}
          maxZoom={1.5}
          panOnScroll
          // Dragging the canvas selects, as scrolling moves it; so do the middle button and the space key.
          selectionOnDrag
          selectionMode={SelectionMode.Partial}
          selectionKeyCode={null}
          panOnDrag={PAN_BUTTONS}
          selectNodesOnDrag={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          multiSelectionKeyCode={MULTI_SELECT_KEYS}
          connectionRadius={24}
          autoPanOnConnect={false}
          onNodesChange={changes.onNodesChange}
          onEdgesChange={changes.onEdgesChange}
          onNodeDragStop={changes.endGesture}
          onSelectionDragStop={changes.endGesture}
          onSelectionStart={changes.startBox}
          onSelectionEnd={changes.endBox}
          onNodeDoubleClick={(_, node) => open(node.id)}
          onPaneClick={focusCanvas}
          onNodeContextMenu={(event, node) =>
            openMenu(event, noteIdOf(node.id) === null ? "task" : "note", node.id)
          }
          onSelectionContextMenu={(event, [node]) => openMenu(event, "task", node?.id)}
          onEdgeContextMenu={(event, edge) => openMenu(event, "edge", edge.id)}
          onPaneContextMenu={(event) => openMenu(event, "canvas")}
          onFocus={onFocus}
          {...drop}
        >
          <Background />
          <CanvasControls
            hasMap={hasMap}
            canMap={view.isPartial && !isNarrow(size)}
            canTidy={canvas.positions.size > 0}
            onMap={() => setHasMap((now) => !now)}
            onFind={actions.find}
            onAddNote={() => newNote()}
            onTidy={tidy}
          />
          {hasMap && view.isPartial && !isNarrow(size) && (
            <MiniMap
              pannable
              zoomable
              ariaLabel="Minimap"
              nodeStrokeWidth={4}
              style={{ width: 150, height: 104 }}
            />
          )}
          <CanvasToolbar
            compact={isNarrow(size)}
            onAdd={(kind) => editing.add(kind)}
            onPalette={() => openPalette({})}
          />
          {refusal !== null && <Refusal text={refusal} onClose={() => refuse(null)} />}
          {refusal === null && selection.size > 1 && (
            <SelectionBar
              onCopy={() => void writeClipboard(editing.copied(selection))}
              onDuplicate={() => actions.duplicate(selection)}
              onDelete={() => remove(selection)}
            />
          )}
          {document.tasks.length === 0 && canvas.notes.length === 0 && <EmptyHint />}
        </ReactFlow>
      </NoteTextContext>
      <TaskPalette
        opened={opened?.kind === "palette"}
        onAdd={(kind, fields) => editing.add(kind, fields, opened?.kind === "palette" ? opened.place : {})}
        onClose={close}
      />
      <TaskSearch
        document={document}
        subtitleOf={subtitleOf}
        opened={opened?.kind === "find"}
        onFound={onOpen}
        onClose={close}
      />
      <ConnectDialog
        document={document}
        from={(opened?.kind === "connect" && document.tasks.find(({ id }) => id === opened.task)) || null}
        onConnect={(result) => {
          refuse(typeof result === "string" ? result : null);
          if (typeof result !== "string") {
            draft.change(result);
          }
        }}
        onClose={close}
      />
      <CanvasMenu
        place={opened?.kind === "menu" ? opened.place : null}
        title={opened?.kind === "menu" ? opened.title : undefined}
        actions={opened?.kind === "menu" ? opened.actions : []}
        onClose={close}
      />
    </EdgeActionsContext>
  );
}
