import { ActionIcon, Menu } from "@mantine/core";
import {
  IconCopy,
  IconDots,
  IconDownload,
  IconHistory,
  IconListDetails,
  IconTrash,
} from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { Link } from "react-router";
import { downloadJson, fileNameOf } from "../../components/download";
import { DeleteAgentDialog } from "./DeleteAgentDialog";
import { readWorkflow } from "./useDraftSaving";
import { useDuplicate } from "./useDuplicate";

/** The actions of an agent in the list. */
export function AgentMenu({ orgId, agent }: { orgId: string; agent: { id: string; name: string } }) {
  const base = `/organizations/${orgId}`;
  const duplicate = useDuplicate(orgId);
  const [deleting, setDeleting] = useState(false);
  const download = useMutation({
    mutationFn: () => readWorkflow(orgId, agent.id),
    onSuccess: ({ document }) => downloadJson(document, fileNameOf(agent.name, "agent")),
    onError: (error) =>
      notifications.show({ title: "Couldn’t export the agent", message: error.message, color: "red" }),
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Actions for ${agent.name}`}
            loading={duplicate.isPending || download.isPending}
          >
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            component={Link}
            to={`${base}/runs?agent=${agent.id}`}
            leftSection={<IconListDetails size={16} />}
          >
            Runs
          </Menu.Item>
          <Menu.Item
            component={Link}
            to={`${base}/agents/${agent.id}/versions`}
            leftSection={<IconHistory size={16} />}
          >
            Versions
          </Menu.Item>
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => duplicate.mutate({ id: agent.id })}>
            Duplicate
          </Menu.Item>
          <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => download.mutate()}>
            Export as JSON
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTrash size={16} />}
            c="var(--mantine-color-error)"
            onClick={() => setDeleting(true)}
          >
            Delete…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <DeleteAgentDialog
        orgId={orgId}
        agent={agent}
        opened={deleting}
        onClose={() => setDeleting(false)}
        onDeleted={() => setDeleting(false)}
      />
    </>
  );
}
