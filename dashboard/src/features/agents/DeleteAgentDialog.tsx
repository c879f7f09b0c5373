import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { queryClient } from "../../queryClient";
import { readWorkflow } from "./useDraftSaving";

interface Props {
  orgId: string;
  agent: { id: string; name: string };
  /** The draft that the person sees; the newest one if absent. */
  etag?: string;
  opened: boolean;
  onClose: () => void;
  /** Called before the lists are read again. */
  onDeleted: () => void;
}

/** Archives an agent after a confirmation. */
export function DeleteAgentDialog({ orgId, agent, etag, opened, onClose, onDeleted }: Props) {
  const remove = useMutation({
    mutationFn: async () =>
      unwrap(
        api.DELETE("/dashboard/api/organizations/{orgId}/workflows/{workflowId}", {
          params: {
            path: { orgId, workflowId: agent.id },
            header: { "If-Match": etag ?? (await readWorkflow(orgId, agent.id)).etag },
          },
        }),
      ),
    onSuccess: () => {
      onDeleted();
      notifications.show({ message: `“${agent.name}” deleted.` });
      return queryClient.invalidateQueries({ queryKey: ["organization", orgId, "workflows"] });
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={`Delete “${agent.name}”?`}
      action="Delete agent"
      mutation={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <Text size="sm">No new runs can start. Runs in progress will finish, and run history is kept.</Text>
    </ConfirmDialog>
  );
}
