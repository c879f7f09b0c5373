import type { EdgeChange, NodeChange } from "@xyflow/react";
import { useState } from "react";
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
        chosen ??= new Set(selection);
        chosen[change.selected ? "add" : "delete"](change.id);
      } else if (change.type === "dimensions" && change.setAttributes && change.dimensions) {
        resize(change.id, change.dimensions);
      }
    }
    if (moved.size > 0) {
      editing.moveTo(moved, `drag ${gesture}`, 0);
    }
    if (chosen) {
      onSelect(chosen);
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
  return { selectedEdges, selectEdges, onNodesChange, onEdgesChange, endGesture };
}
