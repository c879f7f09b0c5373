import { Button, Group, Menu, Select, Table, Text, Tooltip } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import type { Schemas } from "../../api/client";
import { useIsOwner, type Role } from "../../api/organization";
import { useMe } from "../../api/queries";
import { Time } from "../../components/Time";
import type { MeasuredRow } from "../../components/VirtualRows";
import { MemberTeams } from "./MemberTeams";
import { useRoles } from "./roles";

interface Props extends MeasuredRow {
  of: Schemas["Member"];
  isAdmin: boolean;
  onRole: (role: Role) => void;
  onRemove: () => void;
  onReset: () => void;
}

export function MemberRow(props: Props) {
  const { ref, "data-index": index, of: member, isAdmin, onRole, onRemove, onReset } = props;
  const { data: me } = useMe();
  const roles = useRoles();
  const isOwner = useIsOwner();
  const isManaged = isAdmin && (isOwner || member.role !== "owner");
  return (
    <Table.Tr ref={ref} data-index={index}>
      <Table.Td>
        <Group gap={8}>
          <Text size="sm" fw={600}>
            {member.name}
            {member.id === me?.id && " (you)"}
          </Text>
          {!member.email_proven && (
            <Tooltip
              multiline
              w={320}
              label="Joined with a link from an admin, so the address may belong to someone else. An emailed invitation or a sign-in with OpenID Connect verifies it."
            >
              <Text span size="xs" c="dimmed" tabIndex={0}>
                Email not verified
              </Text>
            </Tooltip>
          )}
        </Group>
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {member.email}
        </Text>
      </Table.Td>
      <Table.Td>
        {isManaged ? (
          <Select
            w={130}
            size="xs"
            aria-label={`Role of ${member.name}`}
            data={roles}
            allowDeselect={false}
            value={member.role}
            onChange={(role) => role && role !== member.role && onRole(role)}
          />
        ) : (
          <Text size="sm" tt="capitalize">
            {member.role}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Teams">
        <MemberTeams teamIds={member.team_ids} />
      </Table.Td>
      <Table.Td data-label="Last seen">
        {member.last_seen_at ? <Time at={member.last_seen_at} relative /> : "Never"}
      </Table.Td>
      <Table.Td data-label="Added">
        <Time at={member.created_at} relative />
      </Table.Td>
      <Table.Td ta="right" data-menu>
        {(isManaged || (isAdmin && me?.operator)) && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button
                size="compact-sm"
                variant="subtle"
                color="gray"
                aria-label={`Actions for ${member.name}`}
              >
                <IconDots size={16} />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {member.id !== me?.id && <Menu.Item onClick={onReset}>Create reset link</Menu.Item>}
              <Menu.Item color="red" onClick={onRemove}>
                Remove from organization
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
