import { Button, Group, Stack, Table, TextInput } from "@mantine/core";
import { IconUsersGroup } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { Link, useNavigate } from "react-router";
import { api, unwrap } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { fieldErrors } from "../../api/problem";
import { useTeams } from "../../api/queries";
import { EmptyState } from "../../components/EmptyState";
import { ErrorNotice } from "../../components/ErrorNotice";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { Time } from "../../components/Time";
import { queryClient } from "../../queryClient";

export default function TeamsPage() {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const teams = useTeams(orgId);
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
            <Table.ScrollContainer minWidth={420}>
              <Table highlightOnHover>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Team</Table.Th>
                    <Table.Th>Members</Table.Th>
                    <Table.Th>ID</Table.Th>
                    <Table.Th>Created</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {all.map((team) => (
                    <Table.Tr key={team.id}>
                      <Table.Td>
                        <Link className="rowLink" to={`/organizations/${orgId}/teams/${team.id}`}>
                          {team.name}
                        </Link>
                      </Table.Td>
                      <Table.Td data-label="Members">{team.members}</Table.Td>
                      <Table.Td data-label="ID">{team.id}</Table.Td>
                      <Table.Td data-label="Created">
                        <Time at={team.created_at} relative />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </QueryBoundary>
    </Page>
  );
}

function NewTeam({ orgId }: { orgId: string }) {
  const [name, setName] = useState("");
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/teams", {
          params: { path: { orgId } },
          body: { name: name.trim() },
        }),
      ),
    onSuccess: async (team) => {
      await navigate(`/organizations/${orgId}/teams/${team.id}`);
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
