import { Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api, unwrap } from "../../api/client";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ErrorNotice } from "../../components/ErrorNotice";
import { Time } from "../../components/Time";
import { queryClient } from "../../queryClient";
import { readWorkflow, type Workflow } from "./useDraftSaving";
import { usePublishNote } from "./usePublishNote";
import { useVersionDocument } from "./useVersionDocument";

interface Props {
  orgId: string;
  workflowId: string;
  version: string;
}

/** Replaces the draft by a version; asks first if the draft has changes that are not published. */
export function RestoreVersion({ orgId, workflowId, version }: Props) {
  const navigate = useNavigate();
  const document = useVersionDocument(orgId, workflowId, version);
  const [, setNote] = usePublishNote(workflowId);
  /** The draft that restoring would overwrite, while the user is asked. */
  const [overwritten, setOverwritten] = useState<Workflow | null>(null);
  const restore = useMutation({
    mutationFn: async (confirmed: Workflow | null): Promise<boolean> => {
      const draft = confirmed ?? (await readWorkflow(orgId, workflowId));
      if (!confirmed && draft.unpublished_changes) {
        setOverwritten(draft);
        return false;
      }
      await unwrap(
        api.PUT("/dashboard/api/organizations/{orgId}/workflows/{workflowId}", {
          params: {
            path: { orgId, workflowId },
            query: { allow_invalid: true },
            header: { "If-Match": draft.etag },
          },
          body: document.data ?? {},
        }),
      );
      // The newest version leaves nothing to publish.
      setNote(version === String(draft.published_version) ? "" : `Restored version ${version}`);
      return true;
    },
    onSuccess: async (restored) => {
      if (!restored) {
        return;
      }
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "workflow", workflowId] });
      notifications.show({
        message: `Version ${version} restored to the draft. Publish to make it live.`,
      });
      void navigate(`/organizations/${orgId}/agents/${workflowId}`);
    },
  });
  return (
    <>
      <Button
        variant="default"
        loading={restore.isPending}
        disabled={document.data === undefined}
        onClick={() => restore.mutate(null)}
      >
        Restore version {version} to the draft
      </Button>
      <ErrorNotice error={overwritten === null ? restore.error : null} />
      <ConfirmDialog
        opened={overwritten !== null}
        title={`Restore version ${version}?`}
        action="Restore"
        mutation={restore}
        onConfirm={() => restore.mutate(overwritten)}
        onClose={() => setOverwritten(null)}
      >
        <Text size="sm">
          The draft has changes that aren’t published, last saved <Time at={overwritten?.updated_at} />.
          They’ll be overwritten.
        </Text>
      </ConfirmDialog>
    </>
  );
}
