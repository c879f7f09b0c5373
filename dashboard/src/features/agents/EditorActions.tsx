import { ActionIcon, Button, Menu, Text, Tooltip } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCopy,
  IconDots,
  IconDownload,
  IconHistory,
  IconTrash,
} from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { api, unwrap } from "../../api/client";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ErrorNotice } from "../../components/ErrorNotice";
import { downloadJson, fileNameOf } from "../../components/download";
import { formatDateTime } from "../../components/Time";
import { queryClient } from "../../queryClient";
import type { ValidationIssue } from "./validation";
import { PublishButton } from "./PublishButton";
import { useDuplicate } from "./useDuplicate";
import type { Draft, Saving } from "./useDraftSaving";

interface Props {
  orgId: string;
  draft: Draft;
  saving: Saving;
  issues: ValidationIssue[];
}

export function EditorActions({ orgId, draft, saving, issues }: Props) {
  const { save } = saving;
  return (
    <>
      <Tooltip label="Undo (Ctrl+Z)">
        <ActionIcon
          variant="default"
          size={36}
          aria-label="Undo"
          disabled={!draft.canUndo}
          onClick={draft.undo}
        >
          <IconArrowBackUp size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Redo (Ctrl+Shift+Z)">
        <ActionIcon
          variant="default"
          size={36}
          aria-label="Redo"
          disabled={!draft.canRedo}
          onClick={draft.redo}
        >
          <IconArrowForwardUp size={18} />
        </ActionIcon>
      </Tooltip>
      <Text size="xs" c="dimmed" role="status">
        {saving.dirty ? "Unsaved changes" : `Last saved ${formatDateTime(saving.workflow.updated_at)}`}
      </Text>
      <Button
        variant="default"
        disabled={!saving.dirty}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        {saving.dirty ? "Save draft" : "Saved"}
      </Button>
      <PublishButton orgId={orgId} draft={draft} saving={saving} issues={issues} />
      <MoreActionsMenu orgId={orgId} draft={draft} saving={saving} />
      <ErrorNotice error={saving.error} />
    </>
  );
}

function MoreActionsMenu({ orgId, draft, saving }: Omit<Props, "issues">) {
  const { id } = saving.workflow;
  const duplicate = useDuplicate(orgId);
  const [deleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () =>
      unwrap(
        api.DELETE("/dashboard/api/organizations/{orgId}/workflows/{workflowId}", {
          params: { path: { orgId, workflowId: id }, header: { "If-Match": saving.workflow.etag } },
        }),
      ),
    onSuccess: async () => {
      draft.markSaved(draft.raw);
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "workflows"] });
      void navigate(`/organizations/${orgId}/agents`);
    },
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            component={Link}
            to={`/organizations/${orgId}/agents/${id}/versions`}
            leftSection={<IconHistory size={16} />}
          >
            Versions
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCopy size={16} />}
            disabled={duplicate.isPending}
            onClick={() => duplicate.mutate({ id, document: saving.dirty ? draft.raw : undefined })}
          >
            Duplicate
          </Menu.Item>
          <Menu.Item
            leftSection={<IconDownload size={16} />}
            onClick={() => downloadJson(draft.raw, fileNameOf(draft.document.name, "agent"))}
          >
            Export as JSON
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => setDeleting(true)}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={deleting}
        title={`Delete “${draft.document.name}”?`}
        action="Delete agent"
        mutation={remove}
        onConfirm={() => remove.mutate()}
        onClose={() => setDeleting(false)}
      >
        <Text size="sm">No new runs can start. Runs in progress will finish, and run history is kept.</Text>
      </ConfirmDialog>
    </>
  );
}
