import { ActionIcon, Menu } from "@mantine/core";
import { IconCopy, IconDots } from "@tabler/icons-react";
import { useDuplicate } from "./useDuplicate";

/** The actions of an agent in the list. */
export function AgentMenu({ orgId, agent }: { orgId: string; agent: { id: string; name: string } }) {
  const duplicate = useDuplicate(orgId);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Actions for ${agent.name}`}
          loading={duplicate.isPending}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => duplicate.mutate({ id: agent.id })}>
          Duplicate
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
