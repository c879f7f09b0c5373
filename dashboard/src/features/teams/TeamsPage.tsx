import { Anchor, Button, Modal, Table, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconPlus, IconUsersGroup } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { useMembers, useTeams } from "../../api/queries";
import { EmptyState } from "../../components/EmptyState";
import { Form } from "../../components/Form";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { Time } from "../../components/Time";
import { UsageLinks, useUsages } from "../../components/UsedBy";
import { useDialog } from "../../components/useDialog";
import { queryClient } from "../../queryClient";
import { useOpenTickets } from "./useOpenTickets";

export default function TeamsPage() {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const teams = useTeams(orgId);
  const usages = useUsages(
    orgId,
    "team",
    (teams.data ?? []).map((each) => each.id),
    3,
  );
  const dialog = useDialog("new-team");
  const create = isAdmin && (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      New team
    </Button>
  );
  return (
    <Page title="Teams" about="Tickets, conversations and API keys can belong to a team." actions={create}>
      <QueryBoundary query={teams}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={IconUsersGroup} title="No teams yet" action={create}>
              {isAdmin
                ? "Create a team, add people to it, and assign tickets to it."
                : "Ask an owner or admin to create one."}
            </EmptyState>
          ) : (
            <Table.ScrollContainer minWidth={560}>
              <Table highlightOnHover>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Team</Table.Th>
                    <Table.Th>Members</Table.Th>
                    <Table.Th>Tickets</Table.Th>
                    <Table.Th>Assigned by</Table.Th>
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
                      <Table.Td data-label="Members">
                        <MemberNames orgId={orgId} team={team} />
                      </Table.Td>
                      <Table.Td data-label="Tickets">
                        <OpenTickets orgId={orgId} team={team} />
                      </Table.Td>
                      <Table.Td data-label="Assigned by">
                        <UsageLinks orgId={orgId} usage={usages.data?.get(String(team.id))} none="No agent" />
                      </Table.Td>
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
      <NewTeamDialog orgId={orgId} opened={isAdmin && dialog.opened} onClose={dialog.close} />
    </Page>
  );
}

/** Names that a row lists. */
const MAX_NAMES = 3;

/** The names of a team's members; their number until the names are loaded. */
function MemberNames({ orgId, team }: { orgId: string; team: Schemas["Team"] }) {
  const { data } = useMembers(orgId);
  const names = (data ?? []).filter((each) => each.team_ids.includes(team.id)).map(({ name }) => name);
  if (names.length === 0) {
    return team.members === 0 ? "None" : team.members;
  }
  const others = names.length - MAX_NAMES;
  return (
    <span title={names.join(", ")}>
      {names.slice(0, MAX_NAMES).join(", ")}
      {others > 0 && ` and ${others} more`}
    </span>
  );
}

function OpenTickets({ orgId, team }: { orgId: string; team: Schemas["Team"] }) {
  const count = useOpenTickets(orgId, team.id);
  if (count === "0") {
    return (
      <Text size="sm" c="dimmed">
        0 open
      </Text>
    );
  }
  const text = count === undefined ? "Open" : `${count} open`;
  return (
    <Anchor
      component={Link}
      size="sm"
      to={`/organizations/${orgId}/tickets?assignee=all&team=${team.id}`}
      aria-label={`${text} tickets of ${team.name}`}
    >
      {text}
    </Anchor>
  );
}

interface DialogProps {
  orgId: string;
  opened: boolean;
  onClose: () => void;
}

function NewTeamDialog({ orgId, opened, onClose }: DialogProps) {
  const form = useForm({ initialValues: { name: "" } });
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: ({ name }: typeof form.values) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/teams", {
          params: { path: { orgId } },
          body: { name: name.trim() },
        }),
      ),
    onSuccess: async (team) => {
      // Replaces the history entry of the dialog.
      await navigate(`/organizations/${orgId}/teams/${team.id}`, { replace: true });
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "teams"] });
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title="New team">
      <Form form={form} mutation={create} action="Create team">
        <TextInput
          label="Name"
          placeholder="Accounting"
          data-autofocus
          required
          {...form.getInputProps("name")}
        />
      </Form>
    </Modal>
  );
}
