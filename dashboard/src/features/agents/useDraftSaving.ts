import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { queryClient } from "../../queryClient";
import type { useDraft } from "./useDraft";

export type Draft = ReturnType<typeof useDraft>;
export type Saving = ReturnType<typeof useDraftSaving>;

/** Saves the draft, which may be invalid, and publishes it, which requires a valid one. */
export function useDraftSaving(orgId: string, loaded: Schemas["WorkflowWithDraft"], draft: Draft) {
  const [workflow, setWorkflow] = useState(loaded);
  const params = { path: { orgId, workflowId: loaded.id } };
  const put = async () => {
    const saved = await unwrap(
      api.PUT("/dashboard/api/organizations/{orgId}/workflows/{workflowId}", {
        params: { ...params, query: { allow_invalid: true } },
        body: draft.raw as Record<string, unknown>,
      }),
    );
    draft.markSaved(draft.raw);
    setWorkflow(saved);
  };
  // Serialize saves, so that the last one wins.
  const scope = { id: `draft ${loaded.id}` };
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["organization", orgId, "workflows"] });
  const save = useMutation({ mutationFn: put, scope, onSuccess: refresh });
  const publish = useMutation({
    scope,
    mutationFn: async (note: string) => {
      if (draft.dirty) {
        await put();
      }
      return unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/workflows/{workflowId}/publish", {
          params,
          body: { note: note.trim() || null },
        }),
      );
    },
    onSuccess: async ({ version }) => {
      setWorkflow((now) => ({ ...now, published_version: version, unpublished_changes: false, valid: true }));
      notifications.show({ message: `Version ${version} published. New runs will use it.` });
      await refresh();
    },
  });
  return { workflow, save, publish };
}
