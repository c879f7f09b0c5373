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
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { ErrorNotice } from "../../components/ErrorNotice";
import { downloadJson, fileNameOf } from "../../components/download";
import { formatDateTime } from "../../components/Time";
import { forgetUnsavedChanges } from "../../components/leaveGuard";
import type { ValidationIssue } from "./validation";
import { DeleteAgentDialog } from "./DeleteAgentDialog";
import { PublishButton } from "./PublishButton";
import { useDuplicate } from "./useDuplicate";
import type { Draft, Saving } from "./useDraftSaving";

interface Props {
  orgId: string;
  draft: Draft;
  saving: Saving;
  issues: ValidationIssue[];
  onIssues: () => void;
}

export function EditorActions({ orgId, draft, saving, issues, onIssues }: Props) {
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
        {saving.dirty
          ? "Saved in this browser only"
          : `Last saved ${formatDateTime(saving.workflow.updated_at)}`}
      </Text>
      <Button
        variant="default"
        disabled={!saving.dirty}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        {saving.dirty ? "Save draft" : "Saved"}
      </Button>
      <PublishButton orgId={orgId} draft={draft} saving={saving} issues={issues} onIssues={onIssues} />
      <MoreActionsMenu orgId={orgId} draft={draft} saving={saving} />
      <ErrorNotice error={saving.error} />
    </>
  );
}

function MoreActionsMenu({ orgId, draft, saving }: Omit<Props, "issues" | "onIssues">) {
  const { id } = saving.workflow;
  const duplicate = useDuplicate(orgId);
  const [deleting, setDeleting] = useState(false);
  const navigate = useNavigate();
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
      <DeleteAgentDialog
        orgId={orgId}
        agent={{ id, name: draft.document.name }}
        etag={saving.workflow.etag}
        opened={deleting}
        onClose={() => setDeleting(false)}
        onDeleted={() => {
          forgetUnsavedChanges();
          void navigate(`/organizations/${orgId}/agents`);
        }}
      />
    </>
  );
}
