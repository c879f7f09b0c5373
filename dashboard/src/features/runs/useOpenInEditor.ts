import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useMe } from "../../api/queries";
import { browserStorage, draftKey, writeDraft } from "../../components/localDrafts";
import { asTyped, keptInputs, type TestInputs } from "../agents/testInputs";

/** Opens the agent with the input of the run filled in for a test run. */
export function useOpenInEditor(orgId: string, run: Schemas["WorkflowInstance"]) {
  const navigate = useNavigate();
  const { data: me } = useMe();
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/instances/{instanceId}/inputs", {
          params: { path: { orgId, instanceId: run.workflow_instance_id } },
        }),
      ),
    onSuccess: ({ human_msg, file_urls, used_values }) => {
      const inputs: TestInputs = { message: human_msg ?? "", files: file_urls, values: asTyped(used_values) };
      const key = draftKey(me?.id ?? "", orgId, keptInputs(run.workflow_id));
      writeDraft(browserStorage(), key, inputs, Date.now());
      void navigate(`/organizations/${orgId}/agents/${run.workflow_id}?view=test`);
    },
  });
}
