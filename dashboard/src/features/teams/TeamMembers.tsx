import { CloseButton, Group, Select, Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { memberName, useIsAdmin } from "../../api/organization";
import { useMembers } from "../../api/queries";
import { ErrorNotice } from "../../components/ErrorNotice";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Time } from "../../components/Time";
import { notifyWithUndo } from "../../components/undoNotification";
import { queryClient } from "../../queryClient";
import { useTeamMembers } from "./useTeamMembers";

interface MembershipChange {
  userId: string;
  /** Whether to add the person to the team or to remove them. */
  member: boolean;
}

const ONE = "/dashboard/api/organizations/{orgId}/teams/{teamId}/members/{userId}";

/** The members of a team; admins add and remove them. */
export function TeamMembers({ orgId, team }: { orgId: string; team: Schemas["Team"] }) {
  const isAdmin = useIsAdmin();
  const teamId = team.id;
  const { data: allMembers } = useMembers(orgId);
  const inTeam = useTeamMembers(orgId, teamId);
  const send = ({ userId, member }: MembershipChange) => {
    const params = { params: { path: { orgId, teamId, userId } } };
    return unwrap(member ? api.PUT(ONE, params) : api.DELETE(ONE, params));
  };
  const refresh = () =>
    Promise.all(
      ["teams", "members"].map((list) =>
        queryClient.invalidateQueries({ queryKey: ["organization", orgId, list] }),
      ),
    );
  const change = useMutation({
    mutationFn: send,
    onSuccess: (_, { userId, member }) => {
      const name = memberName(allMembers, userId);
      notifyWithUndo(`${name} ${member ? "added to" : "removed from"} ${team.name}.`, async () => {
        await send({ userId, member: !member });
        await refresh();
      });
      return refresh();
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
            <Text size="sm" c="dimmed">
              No members yet.{isAdmin && " Add the first one above."}
            </Text>
          ) : (
            <Table aria-label={`Members of ${team.name}`}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Person</Table.Th>
                  <Table.Th>Role</Table.Th>
                  <Table.Th>Last seen</Table.Th>
                  {isAdmin && (
                    <Table.Th>
                      <VisuallyHidden>Actions</VisuallyHidden>
                    </Table.Th>
                  )}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {members.map((each) => (
                  <Member
                    key={each.id}
                    of={each}
                    team={team}
                    onRemove={isAdmin ? () => change.mutate({ userId: each.id, member: false }) : undefined}
                  />
                ))}
              </Table.Tbody>
            </Table>
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
        <Text size="sm" fw={600}>
          {member.name}
        </Text>
        <Text size="xs" c="dimmed">
          {member.email}
        </Text>
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
