import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import {
  ApiError,
  currentConnection,
  isConflict,
  organizationKey,
  publishDraft,
  queryClient,
  readWorkflow,
  saveDraft,
  subscribeConnection,
  useChange,
  useConflict,
  useOrganizationId,
  type Workflow,
} from "../../api";
import { DraftSaver, isSameDocument } from "./draftSaver";
import type { useDraft } from "./useDraft";

export type Draft = ReturnType<typeof useDraft>;
export type Saving = ReturnType<typeof useDraftSaving>;

/** The unsaved changes that this browser keeps, and the saved draft that they were made to. */
export interface UnsavedDraft {
  raw: unknown;
  brokenJson: string | null;
  base: { etag: string; updated_at: string };
}

/** Writes the draft, which may be invalid. A repeated save whose first response was lost does not conflict with itself. */
function draftWriter(orgId: string, workflowId: string) {
  const unconfirmed = new Set<string>();
  const put = (document: unknown, etag: string) => saveDraft(orgId, workflowId, document, etag);
  const putAgain = async (document: unknown, refused: unknown): Promise<Workflow> => {
    const newest = await readWorkflow(orgId, workflowId);
    if (!unconfirmed.has(JSON.stringify(newest.document))) {
      throw refused;
    }
    return isSameDocument(newest.document, document) ? newest : put(document, newest.etag);
  };
  return async (document: unknown, { etag }: Workflow): Promise<Workflow> => {
    try {
      const saved = await put(document, etag).catch((error: unknown) =>
        isConflict(error) && unconfirmed.size > 0 ? putAgain(document, error) : Promise.reject(error),
      );
      unconfirmed.clear();
      return saved;
    } catch (error) {
      if (error instanceof ApiError && error.transient) {
        unconfirmed.add(JSON.stringify(document));
      }
      throw error;
    }
  };
}

function useDraftSaver(loaded: Workflow) {
  const orgId = useOrganizationId();
  const [saver] = useState(
    () =>
      new DraftSaver<Workflow>(loaded, {
        put: draftWriter(orgId, loaded.id),
        isReachable: () => currentConnection().state === "ok",
      }),
  );
  useEffect(() => {
    const saveWhenHidden = () => {
      if (document.visibilityState === "hidden") {
        saver.resume();
      }
    };
    const unsubscribe = subscribeConnection(() => {
      if (currentConnection().state === "ok") {
        saver.resume();
      }
    });
    document.addEventListener("visibilitychange", saveWhenHidden);
    return () => {
      document.removeEventListener("visibilitychange", saveWhenHidden);
      unsubscribe();
      saver.stop();
    };
  }, [saver]);
  return saver;
}

/** Lists and the page of versions show the saved draft when they are opened next. */
function useListsAreOutdated(workflow: Workflow) {
  const orgId = useOrganizationId();
  const { id, etag } = workflow;
  const [loadedTag] = useState(etag);
  useEffect(() => {
    if (etag !== loadedTag) {
      for (const key of [["workflows"], ["workflow", id, "draft"]]) {
        void queryClient.invalidateQueries({
          queryKey: organizationKey(orgId, ...key),
          refetchType: "none",
        });
      }
    }
  }, [orgId, id, etag, loadedTag]);
}

/**
 * Saves the draft, which may be invalid, shortly after each edit, and publishes it, which requires a valid one. Neither
 * overwrites what another person has saved meanwhile.
 */
export function useDraftSaving(loaded: Workflow, draft: Draft) {
  const orgId = useOrganizationId();
  const saver = useDraftSaver(loaded);
  const { workflow, saved, isSending, error } = useSyncExternalStore(saver.subscribe, saver.getState);
  /** Text of the JSON view that cannot be parsed; it is not part of the document yet. */
  const [brokenJson, setBrokenJson] = useState<string | null>(null);
  const { raw } = draft;
  useEffect(() => {
    saver.edit(raw, brokenJson === null ? null : invalidJson());
  }, [saver, raw, brokenJson]);
  useListsAreOutdated(workflow);
  const conflict = useConflict(
    organizationKey(orgId, "workflow", loaded.id, "newest"),
    loaded,
    () => readWorkflow(orgId, loaded.id),
    workflow,
  );
  const { refused } = conflict;
  const isRefused = isConflict(error);
  useEffect(() => {
    if (isRefused) {
      void refused();
    }
    // The error, too: each refusal shows the choice.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isRefused, error]);
  const publish = useChange({
    send: (note: string) => saver.afterSaving(({ etag }) => publishDraft(orgId, loaded.id, note, etag)),
    done: ({ version }) => `Version ${version} published. New runs will use it.`,
    onSuccess: ({ version }) => {
      const now = saver.getState();
      saver.continueFrom(
        { ...now.workflow, published_version: version, unpublished_changes: false, valid: true },
        now.saved,
      );
    },
    onError: conflict.onError,
    outdated: [organizationKey(orgId, "workflows")],
  });
  const isEdited = useMemo(() => !isSameDocument(raw, saved), [raw, saved]);
  const { etag, updated_at } = workflow;
  /** Replaces the draft, as one step that can be undone, and saves it at once. */
  const replace = (document: unknown) => {
    setBrokenJson(null);
    draft.change(document);
    saver.edit(document, null);
    saver.flush().catch(() => {});
  };
  return {
    workflow,
    publish,
    /** Saves at once what is not saved yet. */
    flush: saver.flush,
    saveOnLeaving: saver.saveOnLeaving,
    replace,
    /** Why the latest edit is not saved. */
    error,
    brokenJson,
    setBrokenJson,
    dirty: isEdited || brokenJson !== null,
    unsaved: useMemo(
      (): UnsavedDraft => ({ raw, brokenJson, base: { etag, updated_at } }),
      [raw, brokenJson, etag, updated_at],
    ),
    /** Continues unsaved changes of an earlier visit; a conflict if the draft has been saved since. */
    restore: ({ raw: kept, brokenJson: keptJson, base }: UnsavedDraft) => {
      saver.continueFrom({ ...workflow, ...base }, saved);
      setBrokenJson(keptJson);
      draft.change(kept);
    },
    /** A poll may see the result of a save before its response. */
    conflict: isSending ? { ...conflict, change: null } : conflict,
    /** Replaces the newer version of another person by this draft. */
    keepMine: () => {
      if (conflict.theirs) {
        saver.continueFrom(conflict.theirs);
        saver.flush().catch(() => {});
      }
      publish.reset();
      conflict.close();
    },
    /** Replaces this draft by the newer version; undo brings it back. */
    takeTheirs: () => {
      const { theirs } = conflict;
      if (theirs) {
        draft.change(theirs.document);
        setBrokenJson(null);
        saver.adopt(theirs);
        publish.reset();
        conflict.close();
      }
    },
  };
}

const invalidJson = () =>
  new ApiError(
    400,
    "Invalid JSON",
    "The JSON text has an error. Correct it in the JSON view, or discard it.",
    [],
    null,
  );
