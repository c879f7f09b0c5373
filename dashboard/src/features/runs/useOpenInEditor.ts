import { useMutation } from "@tanstack/react-query";
import { readRunInput, useMe, useOrganizationId, type Schemas } from "../../api";
import { useGoTo } from "../../components/PageLink";
import { browserStorage, draftKey, writeDraft } from "../../components/localDrafts";
import { asTyped, keptInputs, type TestInputs } from "../../values/testInputs";

/** Opens the agent with the input of the run filled in for a test run. */
export function useOpenInEditor(run: Schemas["WorkflowInstance"]) {
  const orgId = useOrganizationId();
  const goTo = useGoTo();
  const { data: me } = useMe();
  return useMutation({
    mutationFn: () => readRunInput(orgId, run.workflow_instance_id),
    onSuccess: ({ human_msg, file_urls, used_values }) => {
      const inputs: TestInputs = { message: human_msg ?? "", files: file_urls, values: asTyped(used_values) };
      const key = draftKey(me?.id ?? "", orgId, keptInputs(run.workflow_id));
      writeDraft(browserStorage(), key, inputs, Date.now());
      void goTo(`agents/${run.workflow_id}?view=test`);
    },
  });
}
