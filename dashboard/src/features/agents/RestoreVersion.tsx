import { notifications } from "@mantine/notifications";
import { useState } from "react";
import {
  readWorkflow,
  refetch,
  saveDraft,
  useChange,
  useOrganizationId,
  useVersionDocument,
  type Workflow,
} from "../../api";
import { SecondaryButton } from "../../components/variants";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ErrorNotice } from "../../components/ErrorNotice";
import { useGoTo } from "../../components/PageLink";
import { Time } from "../../components/Time";
import { usePublishNote } from "./usePublishNote";

/** Replaces the draft by a version; asks first if the draft has changes that are not published. */
export function RestoreVersion({ workflowId, version }: { workflowId: string; version: string }) {
  const orgId = useOrganizationId();
  const goTo = useGoTo();
  const document = useVersionDocument(workflowId, version);
  const [, setNote] = usePublishNote(workflowId);
  /** The draft that restoring would overwrite, while the user is asked. */
  const [overwritten, setOverwritten] = useState<Workflow | null>(null);
  const restore = useChange({
    send: async (confirmed: Workflow | null): Promise<boolean> => {
      const draft = confirmed ?? (await readWorkflow(orgId, workflowId));
      if (!confirmed && draft.unpublished_changes) {
        setOverwritten(draft);
        return false;
      }
      await saveDraft(orgId, workflowId, document.data ?? {}, draft.etag);
      // The newest version leaves nothing to publish.
      setNote(version === String(draft.published_version) ? "" : `Restored version ${version}`);
      return true;
    },
    onSuccess: async (restored) => {
      if (!restored) {
        return;
      }
      await refetch(orgId, ["workflow", workflowId]);
      notifications.show({
        message: `Version ${version} restored to the draft. Publish to make it live.`,
      });
      void goTo(`agents/${workflowId}`);
    },
  });
  return (
    <>
      <SecondaryButton
        loading={restore.isPending}
        disabled={document.data === undefined}
        onClick={() => restore.mutate(null)}
      >
        Restore version {version} to the draft
      </SecondaryButton>
      <ErrorNotice error={overwritten === null ? restore.error : null} />
      <ConfirmDialog
        opened={overwritten !== null}
        title={`Restore version ${version}?`}
        action="Restore"
        mutation={restore}
        onConfirm={() => restore.mutate(overwritten)}
        onClose={() => setOverwritten(null)}
      >
        The draft has changes that aren’t published, last saved <Time at={overwritten?.updated_at} />. They’ll
        be overwritten.
      </ConfirmDialog>
    </>
  );
}
