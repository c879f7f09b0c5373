import { Menu } from "@mantine/core";
import {
  IconCopy,
  IconDots,
  IconDownload,
  IconHistory,
  IconListDetails,
  IconTrash,
} from "@tabler/icons-react";
import { useState } from "react";
import { QuietIcon } from "../../components/variants";
import { PageLink } from "../../components/PageLink";
import { readWorkflow, useChange, useOrganizationId } from "../../api";
import { downloadJson, fileNameOf } from "../../components/download";
import { DeleteAgentDialog } from "./DeleteAgentDialog";
import { useDuplicate } from "./useDuplicate";

/** The actions of an agent in the list. */
export function AgentMenu({ agent }: { agent: { id: string; name: string } }) {
  const orgId = useOrganizationId();
  const duplicate = useDuplicate();
  const [deleting, setDeleting] = useState(false);
  const download = useChange({
    send: () => readWorkflow(orgId, agent.id),
    onSuccess: ({ document }) => downloadJson(document, fileNameOf(agent.name, "agent")),
    failed: "Couldn’t export the agent",
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <QuietIcon
            aria-label={`Actions for ${agent.name}`}
            loading={duplicate.isPending || download.isPending}
          >
            <IconDots size={18} />
          </QuietIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            component={PageLink}
            to={`runs?agent=${agent.id}`}
            leftSection={<IconListDetails size={16} />}
          >
            Runs
          </Menu.Item>
          <Menu.Item
            component={PageLink}
            to={`agents/${agent.id}/versions`}
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
        agent={agent}
        opened={deleting}
        onClose={() => setDeleting(false)}
        onDeleted={() => setDeleting(false)}
      />
    </>
  );
}
