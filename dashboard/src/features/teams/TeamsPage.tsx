import { Accordion, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconUsersGroup } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { api, unwrap } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { fieldErrors } from "../../api/problem";
import { useTeams } from "../../api/queries";
import { EmptyState } from "../../components/EmptyState";
import { ErrorNotice } from "../../components/ErrorNotice";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { useFilters } from "../../components/useFilters";
import { queryClient } from "../../queryClient";
import { TeamMembers } from "./TeamMembers";

export default function TeamsPage() {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const teams = useTeams(orgId);
  const filters = useFilters();
  return (
    <Page title="Teams" about="Tickets, conversations and API keys can belong to a team.">
      {isAdmin && <NewTeam orgId={orgId} />}
      <QueryBoundary query={teams}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={IconUsersGroup} title="No teams yet">
              {isAdmin
                ? "Create a team above, then add people to it."
                : "Ask an owner or admin to create one."}
            </EmptyState>
          ) : (
            <Accordion
              variant="separated"
              order={2}
              value={filters.get("team") ?? null}
              onChange={(teamId) => filters.set("team", teamId)}
            >
              {all.map((team) => (
                <Accordion.Item key={team.id} value={String(team.id)}>
                  <Accordion.Control>
                    <Group justify="space-between" pr="sm">
                      <Text fw={600} size="sm">
                        {team.name}
                      </Text>
                      <Text c="dimmed" size="sm">
                        {team.members} {team.members === 1 ? "member" : "members"} · ID {team.id}
                      </Text>
                    </Group>
                  </Accordion.Control>
                  <Accordion.Panel>
                    <TeamMembers orgId={orgId} team={team} />
                  </Accordion.Panel>
                </Accordion.Item>
              ))}
            </Accordion>
          )
        }
      </QueryBoundary>
    </Page>
  );
}

function NewTeam({ orgId }: { orgId: string }) {
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/teams", {
          params: { path: { orgId } },
          body: { name: name.trim() },
        }),
      ),
    onSuccess: async () => {
      setName("");
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "teams"] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs" maw={480}>
        <Group align="flex-end" gap="xs">
          <TextInput
            label="New team"
            placeholder="Accounting"
            required
            withAsterisk={false}
            flex={1}
            value={name}
            error={fieldErrors(create.error).at("/name")}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={create.isPending}>
            Create team
          </Button>
        </Group>
        <ErrorNotice error={create.error} fieldPaths={["/name"]} />
      </Stack>
    </form>
  );
}
