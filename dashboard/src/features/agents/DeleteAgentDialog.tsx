import { useDeleteAgent } from "../../api";
import { ConfirmDialog } from "../../components/ConfirmDialog";

interface Props {
  agent: { id: string; name: string };
  /** The draft that the person sees; the newest one if absent. */
  etag?: string;
  opened: boolean;
  onClose: () => void;
  /** Called before the lists are read again. */
  onDeleted: () => void;
}

/** Archives an agent after a confirmation. */
export function DeleteAgentDialog({ agent, etag, opened, onClose, onDeleted }: Props) {
  const remove = useDeleteAgent({ done: `“${agent.name}” deleted.`, onSuccess: onDeleted });
  return (
    <ConfirmDialog
      opened={opened}
      title={`Delete “${agent.name}”?`}
      action="Delete agent"
      mutation={remove}
      onConfirm={() => remove.mutate({ id: agent.id, etag })}
      onClose={onClose}
    >
      No new runs can start. Runs in progress will finish, and run history is kept.
    </ConfirmDialog>
  );
}
