import { useDebouncedValue, useStateHistory } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { api, unwrap } from "../../api/client";
import { asDocument } from "../../graph/document";

const VALIDATION_DELAY_MS = 300;

/** The edited document with undo and redo. `raw` is any JSON, because the JSON view allows it. */
export function useDraft(saved: unknown) {
  const [raw, { set, back, forward }, { history, current }] = useStateHistory(saved);
  const [base, setBase] = useState(saved);
  const document = useMemo(() => asDocument(raw), [raw]);
  return {
    raw,
    document,
    dirty: JSON.stringify(raw) !== JSON.stringify(base),
    canUndo: current > 0,
    canRedo: current < history.length - 1,
    change: set,
    undo: () => back(),
    redo: () => forward(),
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
