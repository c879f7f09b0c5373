import { CloseButton, Group, Select, Stack, Table } from "@mantine/core";
import {
  refetch,
  setTeamMember,
  useChange,
  useIsAdmin,
  useMembers,
  useOrganizationId,
  useTeamMembers,
  type Schemas,
} from "../../api";
import { DataTable } from "../../components/DataTable";
import { memberName } from "../../components/actorNames";
import { Dimmed, Strong, DimmedXs } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Time } from "../../components/Time";
import { notifyWithUndo } from "../../components/undoNotification";

interface MembershipChange {
  userId: string;
  /** Whether to add the person to the team or to remove them. */
  member: boolean;
}

/** The members of a team; admins add and remove them. */
export function TeamMembers({ team }: { team: Schemas["Team"] }) {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const teamId = team.id;
  const { data: allMembers } = useMembers();
  const inTeam = useTeamMembers(teamId);
  const change = useChange({
    send: (wanted: MembershipChange) => setTeamMember(orgId, teamId, wanted),
    onSuccess: (_, { userId, member }) => {
      const name = memberName(allMembers, userId);
      notifyWithUndo(`${name} ${member ? "added to" : "removed from"} ${team.name}.`, async () => {
        await setTeamMember(orgId, teamId, { userId, member: !member });
        await refetch(orgId, "teams", "members");
      });
      return refetch(orgId, "teams", "members");
    },
  });
  return (
    <QueryBoundary query={inTeam}>
      {(members) => (
        <Stack gap="sm">
          <ErrorNotice error={change.error} />
          {isAdmin && (
            <Select
              placeholder="Add a member"
              aria-label={`Add a member to ${team.name}`}
              searchable
              value={null}
              data={(allMembers ?? [])
                .filter((each) => !members.some((member) => member.id === each.id))
                .map((each) => ({ value: each.id, label: `${each.name} · ${each.email}` }))}
              nothingFoundMessage="Everyone is already in this team"
              onChange={(userId) => userId && change.mutate({ userId, member: true })}
              maw={360}
            />
          )}
          {members.length === 0 ? (
            <Dimmed>No members yet.{isAdmin && " Add the first one above."}</Dimmed>
          ) : (
            <DataTable
              columns={["Person", "Role", "Last seen", isAdmin && { hiddenLabel: "Actions" }]}
              aria-label={`Members of ${team.name}`}
            >
              {members.map((each) => (
                <Member
                  key={each.id}
                  of={each}
                  team={team}
                  onRemove={isAdmin ? () => change.mutate({ userId: each.id, member: false }) : undefined}
                />
              ))}
            </DataTable>
          )}
        </Stack>
      )}
    </QueryBoundary>
  );
}

interface MemberProps {
  of: Schemas["Member"];
  team: Schemas["Team"];
  onRemove: (() => void) | undefined;
}

function Member({ of: member, team, onRemove }: MemberProps) {
  return (
    <Table.Tr>
      <Table.Td>
        <Strong>{member.name}</Strong>
        <DimmedXs>{member.email}</DimmedXs>
      </Table.Td>
      <Table.Td tt="capitalize">{member.role}</Table.Td>
      <Table.Td data-label="Last seen">
        {member.last_seen_at ? <Time at={member.last_seen_at} relative /> : "Never"}
      </Table.Td>
      {onRemove && (
        <Table.Td data-menu>
          <Group justify="flex-end">
            <CloseButton aria-label={`Remove ${member.name} from ${team.name}`} onClick={onRemove} />
          </Group>
        </Table.Td>
      )}
    </Table.Tr>
  );
}
