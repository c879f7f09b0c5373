import { useDebouncedValue } from "@mantine/hooks";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useDraftErrors } from "../../api";
import { followRename, type Canvas } from "../../graph/canvas";
import { burstKeyOf, compare, unfinishedAfter, type Unfinished } from "../../graph/changes";
import { asDocument } from "../../graph/document";
import { historyOf, record, redo, undo, type History } from "../../graph/history";
import { isSameDocument } from "./draftSaver";

const VALIDATION_DELAY_MS = 300;

/** The state that undo and redo restore. `raw` is any JSON, because the JSON view allows it. */
interface EditorState {
  raw: unknown;
  canvas: Canvas;
}

interface Editing {
  history: History<EditorState>;
  unfinished: Unfinished | null;
}

const idsOf = (raw: unknown) => asDocument(raw).tasks.map((task) => task.id);

/** Records an edit of the document; `canvas` is given if it changes with it. */
function edited(
  { history, unfinished }: Editing,
  raw: unknown,
  canvas: Canvas | undefined,
  now: number,
): Editing {
  const { present } = history;
  if (!canvas && JSON.stringify(present.raw) === JSON.stringify(raw)) {
    return { history, unfinished };
  }
  const changes = compare(present.raw, raw);
  const next = { raw, canvas: canvas ?? followRename(present.canvas, idsOf(present.raw), idsOf(raw)) };
  return {
    history: record(history, next, canvas ? null : burstKeyOf(changes), now),
    unfinished: unfinishedAfter(unfinished, changes),
  };
}

/** The history of the agent that was edited last. It outlives a look at other pages, such as the agent's versions. */
let latest: { workflowId: string; history: History<EditorState> } | null = null;

/** The earlier history if it ends with the saved draft; otherwise a new one, because the draft has changed since. */
function historyTo(workflowId: string, present: EditorState): History<EditorState> {
  return latest?.workflowId === workflowId && isSameDocument(latest.history.present.raw, present.raw)
    ? { ...latest.history, present, burst: null }
    : historyOf(present);
}

/** The edited document and the layout of its graph, with one undo history for both. */
export function useDraft(workflowId: string, saved: unknown, savedCanvas: Canvas) {
  const [{ history, unfinished }, setEditing] = useState<Editing>(() => ({
    history: historyTo(workflowId, { raw: saved, canvas: savedCanvas }),
    unfinished: null,
  }));
  useEffect(() => {
    latest = { workflowId, history };
  }, [workflowId, history]);
  const { raw, canvas } = history.present;
  const document = useMemo(() => asDocument(raw), [raw]);
  return {
    raw,
    document,
    canvas,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    /** The item that was added last, while it is being filled in. */
    unfinished,
    finish: useCallback(() => setEditing((now) => (now.unfinished ? { ...now, unfinished: null } : now)), []),
    change: useCallback((next: unknown) => setEditing((now) => edited(now, next, undefined, Date.now())), []),
    /** Changes the document and the canvas in one step. */
    changeBoth: useCallback(
      (next: unknown, nextCanvas: Canvas) => setEditing((now) => edited(now, next, nextCanvas, Date.now())),
      [],
    ),
    /** Changes the canvas only. Changes with the same key shortly after each other are one step. */
    arrange: useCallback(
      (next: (before: Canvas) => Canvas, key: string | null, at = Date.now()) =>
        setEditing((now) => {
          const before = now.history.present;
          const after = next(before.canvas);
          return after === before.canvas
            ? now
            : { ...now, history: record(now.history, { ...before, canvas: after }, key, at) };
        }),
      [],
    ),
    undo: useCallback(() => setEditing((now) => ({ history: undo(now.history), unfinished: null })), []),
    redo: useCallback(() => setEditing((now) => ({ history: redo(now.history), unfinished: null })), []),
  };
}

/** Validates the workflow's document on the server shortly after the last change. */
export function useValidation(workflowId: string, raw: unknown) {
  const [settled] = useDebouncedValue(raw, VALIDATION_DELAY_MS);
  return useDraftErrors(workflowId, settled);
}
