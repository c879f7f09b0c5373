import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { isConflict, unwrapTagged, useConflict, type Tagged } from "../../api/conflict";
import { ApiError } from "../../api/problem";
import { queryClient } from "../../queryClient";
import type { useDraft } from "./useDraft";

const ROUTE = "/dashboard/api/organizations/{orgId}/workflows/{workflowId}";

export type Draft = ReturnType<typeof useDraft>;
export type Saving = ReturnType<typeof useDraftSaving>;
export type Workflow = Tagged<Schemas["WorkflowWithDraft"]>;

/** Reads a workflow with the tag of its draft. */
export const readWorkflow = (orgId: string, workflowId: string): Promise<Workflow> =>
  unwrapTagged(api.GET(ROUTE, { params: { path: { orgId, workflowId } } }));

/**
 * Saves the draft, which may be invalid, and publishes it, which requires a valid one. Neither overwrites what another
 * person has saved meanwhile.
 */
export function useDraftSaving(orgId: string, loaded: Workflow, draft: Draft) {
  const [workflow, setWorkflow] = useState(loaded);
  /** Text of the JSON view that cannot be parsed; it is not part of the document yet. */
  const [brokenJson, setBrokenJson] = useState<string | null>(null);
  const path = { orgId, workflowId: loaded.id };
  const conflict = useConflict(
    ["organization", orgId, "workflow", loaded.id, "newest"],
    loaded,
    () => readWorkflow(orgId, loaded.id),
    { etag: workflow.etag, changedAt: workflow.updated_at },
    (theirs) => ({ by: theirs.updated_by, at: theirs.updated_at }),
  );
  const put = async (etag: string): Promise<Workflow> => {
    if (brokenJson !== null) {
      throw new ApiError(
        400,
        "Invalid JSON",
        "The JSON text has an error. Correct it in the JSON view, or discard it.",
        [],
        null,
      );
    }
    const saved = await unwrapTagged(
      api.PUT(ROUTE, {
        params: { path, query: { allow_invalid: true }, header: { "If-Match": etag } },
        body: draft.raw as Record<string, unknown>,
      }),
    );
    draft.markSaved(draft.raw);
    setWorkflow(saved);
    return saved;
  };
  // Serialize saves, so that the last one wins.
  const scope = { id: `draft ${loaded.id}` };
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["organization", orgId, "workflows"] });
  const onError = (error: Error) => {
    if (isConflict(error)) {
      void conflict.refused();
    }
  };
  const save = useMutation({ mutationFn: () => put(workflow.etag), scope, onSuccess: refresh, onError });
  const overwrite = useMutation({ mutationFn: put, scope, onSuccess: refresh, onError });
  const publish = useMutation({
    scope,
    mutationFn: async (note: string) => {
      const { etag } = draft.dirty ? await put(workflow.etag) : workflow;
      return unwrap(
        api.POST(`${ROUTE}/publish`, {
          params: { path, header: { "If-Match": etag } },
          body: { note: note.trim() || null },
        }),
      );
    },
    onSuccess: async ({ version }) => {
      setWorkflow((now) => ({ ...now, published_version: version, unpublished_changes: false, valid: true }));
      notifications.show({ message: `Version ${version} published. New runs will use it.` });
      await refresh();
    },
    onError,
  });
  const error = save.error ?? publish.error ?? overwrite.error;
  return {
    workflow,
    save,
    publish,
    /** A conflict is shown by its own notice. */
    error: isConflict(error) && conflict.theirs ? null : error,
    brokenJson,
    setBrokenJson,
    dirty: draft.dirty || brokenJson !== null,
    /** The draft that the browser keeps while there are unsaved changes. */
    unsaved: useMemo(() => ({ raw: draft.raw, brokenJson }), [draft.raw, brokenJson]),
    conflict,
    /** Replaces the newer version of another person by this draft. */
    keepMine: () => {
      if (conflict.theirs) {
        overwrite.mutate(conflict.theirs.etag);
      }
      save.reset();
      publish.reset();
      conflict.close();
    },
    /** Replaces this draft by the newer version; undo brings it back. */
    takeTheirs: () => {
      const { theirs } = conflict;
      if (theirs) {
        draft.change(theirs.document);
        draft.markSaved(theirs.document);
        setBrokenJson(null);
        setWorkflow(theirs);
        save.reset();
        publish.reset();
        conflict.close();
      }
    },
  };
}
