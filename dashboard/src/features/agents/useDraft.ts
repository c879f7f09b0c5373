import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { api, unwrap } from "../../api/client";
import { asDocument, type WorkflowDocument } from "../../graph/document";

const VALIDATION_DELAY_MS = 300;
const MAX_UNDO_STEPS = 100;

interface History {
  past: unknown[];
  now: unknown;
  future: unknown[];
}

/** The edited document with undo and redo. `raw` is any JSON, because the JSON view allows it. */
export function useDraft(saved: unknown) {
  const [history, setHistory] = useState<History>({ past: [], now: saved, future: [] });
  const [base, setBase] = useState(saved);
  const change = useCallback((next: unknown) => {
    setHistory(({ past, now }) => ({ past: [...past.slice(-MAX_UNDO_STEPS), now], now: next, future: [] }));
  }, []);
  const undo = useCallback(() => {
    setHistory((state) =>
      state.past.length === 0
        ? state
        : { past: state.past.slice(0, -1), now: state.past.at(-1), future: [state.now, ...state.future] },
    );
  }, []);
  const redo = useCallback(() => {
    setHistory((state) =>
      state.future.length === 0
        ? state
        : { past: [...state.past, state.now], now: state.future[0], future: state.future.slice(1) },
    );
  }, []);
  const document = useMemo(() => asDocument(history.now), [history.now]);
  return {
    raw: history.now,
    document,
    dirty: JSON.stringify(history.now) !== JSON.stringify(base),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change: change as (next: WorkflowDocument | unknown) => void,
    undo,
    redo,
    /** Sets the state that `dirty` compares with. */
    markSaved: setBase,
  };
}

/** Validates the document on the server shortly after the last change. */
export function useValidation(orgId: string, raw: unknown) {
  const [settled] = useDebouncedValue(raw, VALIDATION_DELAY_MS);
  return useQuery({
    queryKey: ["organization", orgId, "validation", settled],
    queryFn: () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/workflows/validate", {
          params: { path: { orgId } },
          body: settled as Record<string, unknown>,
        }),
      ),
    placeholderData: (before) => before,
    gcTime: 0,
    staleTime: Infinity,
  });
}
