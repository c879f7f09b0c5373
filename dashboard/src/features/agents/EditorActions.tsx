import { ActionIcon, Button, Menu, Text, Tooltip } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconDots,
  IconDownload,
  IconHistory,
  IconTrash,
} from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useBlocker, useNavigate } from "react-router";
import { api, ask } from "../../api/client";
import { Confirm } from "../../parts/Confirm";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { queryClient } from "../../queryClient";
import type { Fault } from "./faults";
import type { Draft, Saving } from "./useSaving";

interface Props {
  orgId: string;
  draft: Draft;
  saving: Saving;
  faults: Fault[];
}

export function EditorActions({ orgId, draft, saving, faults }: Props) {
  const { workflow, save, publish } = saving;
  return (
    <>
      <Tooltip label="Undo (Ctrl Z)">
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
      <Tooltip label="Redo (Ctrl Shift Z)">
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
      <Button
        variant="default"
        disabled={!draft.dirty}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        {draft.dirty ? "Save draft" : "Saved"}
      </Button>
      <Button
        loading={publish.isPending}
        disabled={
          faults.length > 0 ||
          (!draft.dirty && !workflow.unpublished_changes && workflow.published_version !== null)
        }
        onClick={() => publish.mutate()}
      >
        Publish
      </Button>
      <OtherActions orgId={orgId} draft={draft} saving={saving} />
      <ErrorNotice error={save.error ?? publish.error} />
      <UnsavedGuard dirty={draft.dirty} />
    </>
  );
}

function OtherActions({ orgId, draft, saving }: Omit<Props, "faults">) {
  const { id } = saving.workflow;
  const [deleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () =>
      ask(
        api.DELETE("/dashboard/api/organizations/{orgId}/workflows/{workflowId}", {
          params: { path: { orgId, workflowId: id } },
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
          <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => download(draft)}>
            Export as JSON
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => setDeleting(true)}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={deleting}
        title={`Delete ${draft.document.name}?`}
        action="Delete agent"
        sending={remove}
        onConfirm={() => remove.mutate()}
        onClose={() => setDeleting(false)}
      >
        <Text size="sm">It starts no more runs. Runs that go on are finished, and their history stays.</Text>
      </Confirm>
    </>
  );
}

function download(draft: Draft) {
  const file = new Blob([`${JSON.stringify(draft.raw, null, 2)}\n`], { type: "application/json" });
  const link = window.document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${draft.document.name.replaceAll(/[^\p{L}\p{N}]+/gu, "-").toLowerCase() || "agent"}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Asks before changes are lost, within these pages and when the tab is closed. */
function UnsavedGuard({ dirty }: { dirty: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => dirty && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!dirty) {
      return undefined;
    }
    const keep = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", keep);
    return () => window.removeEventListener("beforeunload", keep);
  }, [dirty]);
  return (
    <Confirm
      opened={blocker.state === "blocked"}
      title="Leave without saving?"
      action="Leave"
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      <Text size="sm">Your changes to this draft are not saved yet and would be lost.</Text>
    </Confirm>
  );
}
