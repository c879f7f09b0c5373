import { Button, CloseButton, Group, Select, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { useIsAdmin } from "../../api/organization";
import { fetchAllPages } from "../../api/pagination";
import { useMembers } from "../../api/queries";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ErrorNotice } from "../../components/ErrorNotice";
import { QueryBoundary } from "../../components/QueryBoundary";
import { queryClient } from "../../queryClient";
import { RenameTeamDialog } from "./RenameTeamDialog";

const ONE = "/dashboard/api/organizations/{orgId}/teams/{teamId}/members/{userId}";

/** The members of a team; admins add and remove them. */
export function TeamMembers({ orgId, team }: { orgId: string; team: Schemas["Team"] }) {
  const isAdmin = useIsAdmin();
  const teamId = team.id;
  const { data: allMembers } = useMembers(orgId);
  const [deleting, setDeleting] = useState(false);
  const [renaming, setRenaming] = useState(false);
  const inTeam = useQuery({
    queryKey: ["organization", orgId, "teams", teamId, "members"],
    queryFn: () =>
      fetchAllPages((after) =>
        unwrap(
          api.GET("/dashboard/api/organizations/{orgId}/teams/{teamId}/members", {
            params: { path: { orgId, teamId }, query: { limit: 100, after } },
          }),
        ),
      ),
  });
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["organization", orgId, "teams"] });
  const change = useMutation({
    mutationFn: ({ userId, member }: { userId: string; member: boolean }) => {
      const params = { params: { path: { orgId, teamId, userId } } };
      return unwrap(member ? api.PUT(ONE, params) : api.DELETE(ONE, params));
    },
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: () =>
      unwrap(
        api.DELETE("/dashboard/api/organizations/{orgId}/teams/{teamId}", {
          params: { path: { orgId, teamId } },
        }),
      ),
    onSuccess: refresh,
  });
  return (
    <QueryBoundary query={inTeam}>
      {(members) => (
        <Stack gap="xs">
          <ErrorNotice error={change.error} />
          {members.length === 0 && (
            <Text size="sm" c="dimmed">
              No members yet.{isAdmin && " Add the first one below."}
            </Text>
          )}
          {members.map((each) => (
            <Group key={each.id} justify="space-between" wrap="nowrap">
              <Text size="sm">
                {each.name}{" "}
                <Text span c="dimmed" size="sm">
                  {each.email}
                </Text>
              </Text>
              {isAdmin && (
                <CloseButton
                  aria-label={`Remove ${each.name} from ${team.name}`}
                  onClick={() => change.mutate({ userId: each.id, member: false })}
                />
              )}
            </Group>
          ))}
          {isAdmin && (
            <Group justify="space-between">
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
                w={300}
              />
              <Group gap="xs">
                <Button variant="subtle" size="xs" onClick={() => setRenaming(true)}>
                  Rename team
                </Button>
                <Button variant="subtle" color="red" size="xs" onClick={() => setDeleting(true)}>
                  Delete team
                </Button>
              </Group>
            </Group>
          )}
          <RenameTeamDialog orgId={orgId} team={team} opened={renaming} onClose={() => setRenaming(false)} />
          <ConfirmDialog
            opened={deleting}
            title={`Delete “${team.name}”?`}
            action="Delete team"
            mutation={remove}
            onConfirm={() => remove.mutate()}
            onClose={() => setDeleting(false)}
          >
            <Text size="sm">Its members stay in the organization. This can’t be undone.</Text>
          </ConfirmDialog>
        </Stack>
      )}
    </QueryBoundary>
  );
}
