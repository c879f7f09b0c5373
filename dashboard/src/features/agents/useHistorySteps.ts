import { useEffect, useEffectEvent, useRef } from "react";
import { focusFirst } from "./focusNode";
import type { useDraft } from "./useDraft";
import { nodesOf } from "./useSelection";

type Draft = Pick<
  ReturnType<typeof useDraft>,
  "document" | "canvas" | "undo" | "redo" | "canUndo" | "canRedo"
>;

/** Undo and redo, which select and focus the tasks and notes that they bring back, and close those that they remove. */
export function useHistorySteps(
  draft: Draft,
  selection: ReadonlySet<string>,
  select: (nodes: ReadonlySet<string>) => void,
) {
  const { document, canvas } = draft;
  const before = useRef<{ nodes: ReadonlySet<string>; selection: ReadonlySet<string> } | null>(null);
  const onStep = useEffectEvent(() => {
    const last = before.current;
    before.current = null;
    if (last === null) {
      return;
    }
    const nodes = nodesOf(draft);
    const restored = nodes.filter((id) => !last.nodes.has(id));
    const kept = new Set([...last.selection].filter((id) => nodes.includes(id)));
    if (restored.length > 0) {
      select(new Set(restored));
      focusFirst(restored);
    } else if ([...last.nodes].some((id) => !nodes.includes(id))) {
      select(kept);
    }
  });
  useEffect(() => onStep(), [document, canvas]);
  const step = (move: () => void, canMove: boolean) => () => {
    before.current = canMove ? { nodes: new Set(nodesOf(draft)), selection } : null;
    move();
  };
  return { undo: step(draft.undo, draft.canUndo), redo: step(draft.redo, draft.canRedo) };
}
