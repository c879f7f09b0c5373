import { Group, Menu, Select, Table, Text, Tooltip } from "@mantine/core";
import { useIsOwner, useMe, type Role, type Schemas } from "../../api";
import { MoreMenu } from "../../components/MoreMenu";
import { Strong, DimmedXs } from "../../components/variants";
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
          <Strong>
            {member.name}
            {member.id === me?.id && " (you)"}
          </Strong>
          {!member.email_proven && (
            <Tooltip
              multiline
              w={320}
              label="Joined with a link from an admin, so the address may belong to someone else. An emailed invitation or a sign-in with OpenID Connect verifies it."
            >
              <DimmedXs span tabIndex={0}>
                Email not verified
              </DimmedXs>
            </Tooltip>
          )}
        </Group>
        <DimmedXs style={{ overflowWrap: "anywhere" }}>{member.email}</DimmedXs>
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
          <MoreMenu inRow label={`Actions for ${member.name}`}>
            {member.id !== me?.id && <Menu.Item onClick={onReset}>Create reset link</Menu.Item>}
            <Menu.Item color="red" onClick={onRemove}>
              Remove from organization
            </Menu.Item>
          </MoreMenu>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
