import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask, type Schemas } from "../../api/client";
import { queryClient } from "../../queryClient";
import type { useDraft } from "./useDraft";

export type Draft = ReturnType<typeof useDraft>;
export type Saving = ReturnType<typeof useSaving>;

/** Keeps the draft at the service and publishes it. A draft may have faults, a published version may not. */
export function useSaving(orgId: string, loaded: Schemas["WorkflowWithDraft"], draft: Draft) {
  const [workflow, setWorkflow] = useState(loaded);
  const params = { path: { orgId, workflowId: loaded.id } };
  const put = async () => {
    const saved = await ask(
      api.PUT("/dashboard/api/organizations/{orgId}/workflows/{workflowId}", {
        params: { ...params, query: { allow_invalid: true } },
        body: draft.raw as Record<string, unknown>,
      }),
    );
    draft.markSaved(draft.raw);
    setWorkflow(saved);
  };
  // One after the other, so that what was saved last stays.
  const scope = { id: `draft ${loaded.id}` };
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["organization", orgId, "workflows"] });
  const save = useMutation({ mutationFn: put, scope, onSuccess: refresh });
  const publish = useMutation({
    scope,
    mutationFn: async () => {
      if (draft.dirty) {
        await put();
      }
      return ask(api.POST("/dashboard/api/organizations/{orgId}/workflows/{workflowId}/publish", { params }));
    },
    onSuccess: async ({ version }) => {
      setWorkflow((now) => ({ ...now, published_version: version, unpublished_changes: false, valid: true }));
      notifications.show({ message: `Version ${version} is published; new runs use it.` });
      await refresh();
    },
  });
  return { workflow, save, publish };
}
