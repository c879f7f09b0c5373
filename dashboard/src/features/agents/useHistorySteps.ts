import { useEffect, useEffectEvent, useRef } from "react";
import { noteNodeId } from "../../graph/canvas";
import { focusFirst } from "./focusNode";
import type { useDraft } from "./useDraft";

type Draft = Pick<
  ReturnType<typeof useDraft>,
  "document" | "canvas" | "undo" | "redo" | "canUndo" | "canRedo"
>;

/** Undo and redo, which select and focus the tasks and notes that they bring back. */
export function useHistorySteps(draft: Draft, select: (nodes: Set<string>) => void) {
  const { document, canvas } = draft;
  const nodes = () => [
    ...document.tasks.map(({ id }) => id),
    ...canvas.notes.map(({ id }) => noteNodeId(id)),
  ];
  const before = useRef<ReadonlySet<string> | null>(null);
  const onStep = useEffectEvent(() => {
    const restored = nodes().filter((id) => before.current?.has(id) === false);
    before.current = null;
    if (restored.length > 0) {
      select(new Set(restored));
      focusFirst(restored);
    }
  });
  useEffect(() => onStep(), [document, canvas]);
  const step = (move: () => void, canMove: boolean) => () => {
    before.current = canMove ? new Set(nodes()) : null;
    move();
  };
  return { undo: step(draft.undo, draft.canUndo), redo: step(draft.redo, draft.canRedo) };
}
