import { useCallback, useMemo, useState } from "react";
import { noteIdOf, noteNodeId } from "../../graph/canvas";
import type { Draft } from "./useDraftSaving";

const NONE: ReadonlySet<string> = new Set();

/** The IDs of all tasks and notes in the graph. */
export const nodesOf = ({ document, canvas }: Pick<Draft, "document" | "canvas">): string[] => [
  ...document.tasks.map(({ id }) => id),
  ...canvas.notes.map(({ id }) => noteNodeId(id)),
];

/**
 * The selected tasks and notes, as far as the draft has them. A single task is part of the URL, so that links open its
 * form and Back returns to the previous task; `choose` changes the URL.
 */
export function useSelection(
  { document, canvas }: Pick<Draft, "document" | "canvas">,
  opened: string | null,
  choose: (taskId: string | null) => void,
) {
  const [others, setOthers] = useState<ReadonlySet<string>>(NONE);
  const selection = useMemo(() => {
    const chosen = opened === null ? others : new Set([opened]);
    const present = nodesOf({ document, canvas }).filter((id) => chosen.has(id));
    return present.length === chosen.size ? chosen : new Set(present);
  }, [document, canvas, opened, others]);
  const select = useCallback(
    (nodes: ReadonlySet<string>) => {
      const [only] = nodes;
      const task = nodes.size === 1 && only !== undefined && noteIdOf(only) === null ? only : null;
      setOthers(task === null ? nodes : NONE);
      choose(task);
    },
    [choose],
  );
  return { selection, select };
}
