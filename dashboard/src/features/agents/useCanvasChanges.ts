import { useStore, useStoreApi, type EdgeChange, type NodeChange } from "@xyflow/react";
import { useEffect, useRef, useState } from "react";
import { changeNote, noteIdOf, type Position } from "../../graph/canvas";
import type { GraphNode } from "../../graph/flowElements";
import type { CanvasEditing } from "./useCanvasEditing";
import type { Draft } from "./useDraftSaving";

interface Options {
  draft: Draft;
  editing: CanvasEditing;
  selection: ReadonlySet<string>;
  onSelect: (nodes: ReadonlySet<string>) => void;
}

/** The selection of edges, and what dragging, resizing and selecting in the graph changes. */
export function useCanvasChanges({ draft, editing, selection, onSelect }: Options) {
  const box = useBox(selection, onSelect);
  const [selectedEdges, selectEdges] = useState<ReadonlySet<string>>(new Set());
  // Everything between the start and the end of a drag is one step of the undo history.
  const [gesture, setGesture] = useState(0);
  const onNodesChange = (changes: NodeChange<GraphNode>[]) => {
    const moved = new Map<string, Position>();
    let chosen: Set<string> | null = null;
    for (const change of changes) {
      if (change.type === "position" && change.position) {
        moved.set(change.id, change.position);
      } else if (change.type === "select") {
        chosen ??= new Set(box.current());
        chosen[change.selected ? "add" : "delete"](change.id);
      } else if (change.type === "dimensions" && change.setAttributes && change.dimensions) {
        resize(change.id, change.dimensions);
      }
    }
    if (moved.size > 0) {
      editing.moveTo(moved, `drag ${gesture}`, 0);
    }
    if (chosen) {
      box.choose(chosen);
    }
  };
  const resize = (node: string, { width, height }: { width: number; height: number }) => {
    const id = noteIdOf(node);
    if (id !== null) {
      const size = { width: Math.round(width), height: Math.round(height) };
      draft.arrange((now) => changeNote(now, id, size), `drag ${gesture}`, 0);
    }
  };
  const onEdgesChange = (changes: EdgeChange[]) => {
    const chosen = new Set(selectedEdges);
    for (const change of changes) {
      if (change.type === "select") {
        chosen[change.selected ? "add" : "delete"](change.id);
      }
    }
    // Selecting tasks with a box also selects their edges, which would all show their buttons.
    selectEdges(chosen.size > 1 ? new Set() : chosen);
  };
  const endGesture = () => setGesture((now) => now + 1);
  return {
    /** The selection, or that of the box that is being dragged. */
    shownSelection: box.boxed ?? selection,
    selectedEdges,
    selectEdges,
    onNodesChange,
    onEdgesChange,
    endGesture,
    startBox: box.start,
    endBox: box.end,
  };
}

/**
 * The selection while a box is dragged, which becomes the selection at its end. Changes arrive faster than the URL, which
 * names a single selected task, can follow.
 */
function useBox(selection: ReadonlySet<string>, onSelect: (nodes: ReadonlySet<string>) => void) {
  const [boxed, setBoxed] = useState<ReadonlySet<string> | null>(null);
  const latest = useRef<ReadonlySet<string> | null>(null);
  const update = (nodes: ReadonlySet<string> | null) => {
    latest.current = nodes;
    setBoxed(nodes);
  };
  // The box of the selected tasks would cover the connection points of a single one, and stay without any.
  const store = useStoreApi();
  const hasFrame = useStore((state) => state.nodesSelectionActive);
  useEffect(() => {
    if (hasFrame && selection.size < 2) {
      store.setState({ nodesSelectionActive: false });
    }
  }, [hasFrame, selection, store]);
  return {
    boxed,
    current: () => latest.current ?? selection,
    choose: (nodes: ReadonlySet<string>) => (latest.current ? update(nodes) : onSelect(nodes)),
    start: () => update(new Set()),
    end: () => {
      const chosen = latest.current;
      update(null);
      if (chosen) {
        onSelect(chosen);
      }
    },
  };
}
