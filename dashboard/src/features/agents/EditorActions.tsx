import { ActionIcon, Menu, Tooltip } from "@mantine/core";
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
import { useNavigate } from "react-router";
import { PageLink } from "../../components/PageLink";
import { useOrganizationId } from "../../api";
import { downloadJson, fileNameOf } from "../../components/download";
import { forgetUnsavedChanges } from "../../components/leaveGuard";
import type { ValidationIssue } from "../../values/validation";
import { DeleteAgentDialog } from "./DeleteAgentDialog";
import { PublishButton } from "./PublishButton";
import { useRevertActions } from "./RevertActions";
import { useDuplicate } from "./useDuplicate";
import type { Draft, Saving } from "./useDraftSaving";

interface Props {
  draft: Draft;
  saving: Saving;
  issues: ValidationIssue[];
  warnings: ValidationIssue[];
  onIssues: () => void;
}

export function EditorActions(props: Props) {
  const { draft, saving } = props;
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
      <PublishButton {...props} />
      <MoreActionsMenu draft={draft} saving={saving} />
    </>
  );
}

function MoreActionsMenu({ draft, saving }: Omit<Props, "issues" | "warnings" | "onIssues">) {
  const orgId = useOrganizationId();
  const { id } = saving.workflow;
  const duplicate = useDuplicate();
  const revert = useRevertActions({ draft, saving });
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
            component={PageLink}
            to={`agents/${id}/versions`}
            leftSection={<IconHistory size={16} />}
          >
            Versions
          </Menu.Item>
          {revert.items}
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
      {revert.confirmation}
      <DeleteAgentDialog
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
