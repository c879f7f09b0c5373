import { Button, CloseButton, Group, Select, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask, type Schemas } from "../../api/client";
import { useIsAdmin } from "../../api/organization";
import { everyPage } from "../../api/pages";
import { useMembers } from "../../api/queries";
import { Confirm } from "../../parts/Confirm";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { Loaded } from "../../parts/Loaded";
import { queryClient } from "../../queryClient";

const ONE = "/dashboard/api/organizations/{orgId}/teams/{teamId}/members/{userId}";

/** Who is in a team; admins put people in and take them out. */
export function TeamMembers({ orgId, team }: { orgId: string; team: Schemas["Team"] }) {
  const isAdmin = useIsAdmin();
  const teamId = team.id;
  const { data: everybody } = useMembers(orgId);
  const [deleting, setDeleting] = useState(false);
  const inTeam = useQuery({
    queryKey: ["organization", orgId, "teams", teamId, "members"],
    queryFn: () =>
      everyPage((after) =>
        ask(
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
      return ask(member ? api.PUT(ONE, params) : api.DELETE(ONE, params));
    },
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: () =>
      ask(
        api.DELETE("/dashboard/api/organizations/{orgId}/teams/{teamId}", {
          params: { path: { orgId, teamId } },
        }),
      ),
    onSuccess: refresh,
  });
  return (
    <Loaded query={inTeam}>
      {(members) => (
        <Stack gap="xs">
          <ErrorNotice error={change.error} />
          {members.length === 0 && (
            <Text size="sm" c="dimmed">
              Nobody yet{isAdmin ? ": add the first person below." : "."}
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
                  aria-label={`Take ${each.name} out of ${team.name}`}
                  onClick={() => change.mutate({ userId: each.id, member: false })}
                />
              )}
            </Group>
          ))}
          {isAdmin && (
            <Group justify="space-between">
              <Select
                placeholder="Add a person …"
                aria-label={`Add a person to ${team.name}`}
                searchable
                value={null}
                data={(everybody ?? [])
                  .filter((each) => !members.some((member) => member.id === each.id))
                  .map((each) => ({ value: each.id, label: `${each.name} · ${each.email}` }))}
                nothingFoundMessage="Everybody is in this team"
                onChange={(userId) => userId && change.mutate({ userId, member: true })}
                w={300}
              />
              <Button variant="subtle" color="red" size="xs" onClick={() => setDeleting(true)}>
                Delete team
              </Button>
            </Group>
          )}
          <Confirm
            opened={deleting}
            title={`Delete the team ${team.name}?`}
            action="Delete team"
            sending={remove}
            onConfirm={() => remove.mutate()}
            onClose={() => setDeleting(false)}
          >
            <Text size="sm">Its people stay in the organization. This cannot be undone.</Text>
          </Confirm>
        </Stack>
      )}
    </Loaded>
  );
}
