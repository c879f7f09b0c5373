import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCopy,
  IconDownload,
  IconHistory,
  IconTrash,
} from "@tabler/icons-react";
import { useState } from "react";
import { LargeIconButton } from "../../components/IconButton";
import { MenuItem, MoreMenu } from "../../components/MoreMenu";
import { useGoTo } from "../../components/PageLink";
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
      <LargeIconButton
        icon={IconArrowBackUp}
        label="Undo"
        tooltip="Undo (Ctrl+Z)"
        disabled={!draft.canUndo}
        onClick={draft.undo}
      />
      <LargeIconButton
        icon={IconArrowForwardUp}
        label="Redo"
        tooltip="Redo (Ctrl+Shift+Z)"
        disabled={!draft.canRedo}
        onClick={draft.redo}
      />
      <PublishButton {...props} />
      <MoreActionsMenu draft={draft} saving={saving} />
    </>
  );
}

function MoreActionsMenu({ draft, saving }: Omit<Props, "issues" | "warnings" | "onIssues">) {
  const { id } = saving.workflow;
  const duplicate = useDuplicate();
  const revert = useRevertActions({ draft, saving });
  const [deleting, setDeleting] = useState(false);
  const goTo = useGoTo();
  return (
    <>
      <MoreMenu>
        <MenuItem icon={IconHistory} label="Versions" to={`agents/${id}/versions`} />
        {revert.items}
        <MenuItem
          icon={IconCopy}
          label="Duplicate"
          disabled={duplicate.isPending}
          onClick={() => duplicate.mutate({ id, document: saving.dirty ? draft.raw : undefined })}
        />
        <MenuItem
          icon={IconDownload}
          label="Export as JSON"
          onClick={() => downloadJson(draft.raw, fileNameOf(draft.document.name, "agent"))}
        />
        <MenuItem icon={IconTrash} label="Delete" onClick={() => setDeleting(true)} />
      </MoreMenu>
      {revert.confirmation}
      <DeleteAgentDialog
        agent={{ id, name: draft.document.name }}
        etag={saving.workflow.etag}
        opened={deleting}
        onClose={() => setDeleting(false)}
        onDeleted={() => {
          forgetUnsavedChanges();
          void goTo("agents");
        }}
      />
    </>
  );
}
