import { Anchor, Modal, Table, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconUsersGroup } from "@tabler/icons-react";
import { PageLink, RowLink, useGoTo } from "../../components/PageLink";
import {
  useCreateTeam,
  useIsAdmin,
  useMembers,
  useOpenTickets,
  useTeams,
  useRowUsages,
  type Schemas,
} from "../../api";
import { DataTable } from "../../components/DataTable";
import { Dimmed, AddButton } from "../../components/variants";
import { EmptyState } from "../../components/EmptyState";
import { Form } from "../../components/Form";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { Time } from "../../components/Time";
import { UsageLinks } from "../../components/UsedBy";
import { useDialog } from "../../components/useDialog";

export default function TeamsPage() {
  const isAdmin = useIsAdmin();
  const teams = useTeams();
  const usages = useRowUsages(
    "team",
    (teams.data ?? []).map((each) => each.id),
  );
  const dialog = useDialog("new-team");
  const create = isAdmin && <AddButton onClick={dialog.open}>New team</AddButton>;
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
            <DataTable
              columns={["Team", "Members", "Tickets", "Assigned by", "Created"]}
              minWidth={560}
              highlightOnHover
            >
              {all.map((team) => (
                <Table.Tr key={team.id}>
                  <Table.Td>
                    <RowLink to={`teams/${team.id}`}>{team.name}</RowLink>
                  </Table.Td>
                  <Table.Td data-label="Members">
                    <MemberNames team={team} />
                  </Table.Td>
                  <Table.Td data-label="Tickets">
                    <OpenTickets team={team} />
                  </Table.Td>
                  <Table.Td data-label="Assigned by">
                    <UsageLinks usage={usages.data?.get(String(team.id))} none="No agent" />
                  </Table.Td>
                  <Table.Td data-label="Created">
                    <Time at={team.created_at} relative />
                  </Table.Td>
                </Table.Tr>
              ))}
            </DataTable>
          )
        }
      </QueryBoundary>
      <NewTeamDialog opened={isAdmin && dialog.opened} onClose={dialog.close} />
    </Page>
  );
}

/** Names that a row lists. */
const MAX_NAMES = 3;

/** The names of a team's members; their number until the names are loaded. */
function MemberNames({ team }: { team: Schemas["Team"] }) {
  const { data } = useMembers();
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

function OpenTickets({ team }: { team: Schemas["Team"] }) {
  const count = useOpenTickets(team.id);
  if (count === "0") {
    return <Dimmed>0 open</Dimmed>;
  }
  const text = count === undefined ? "Open" : `${count} open`;
  return (
    <Anchor
      component={PageLink}
      size="sm"
      to={`tickets?assignee=all&team=${team.id}`}
      aria-label={`${text} tickets of ${team.name}`}
    >
      {text}
    </Anchor>
  );
}

function NewTeamDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const form = useForm({ initialValues: { name: "" } });
  const goTo = useGoTo();
  const create = useCreateTeam({
    // Replaces the history entry of the dialog.
    onSuccess: ({ id }) => goTo(`teams/${id}`, { replace: true }),
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
