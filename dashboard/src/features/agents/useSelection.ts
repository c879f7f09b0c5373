import { useCallback, useMemo, useState } from "react";
import { noteIdOf } from "../../graph/canvas";

const NONE: ReadonlySet<string> = new Set();

/**
 * The selected tasks and notes. A single task is part of the URL, so that links open its form and Back returns to the
 * previous task; `choose` changes the URL.
 */
export function useSelection(opened: string | null, choose: (taskId: string | null) => void) {
  const [others, setOthers] = useState<ReadonlySet<string>>(NONE);
  const selection = useMemo(() => (opened === null ? others : new Set([opened])), [opened, others]);
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
