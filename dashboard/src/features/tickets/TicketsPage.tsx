import { Group, SegmentedControl, Table, Text } from "@mantine/core";
import { IconInbox } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, ask, type Schemas } from "../../api/client";
import { useActorName, useOrganizationId } from "../../api/organization";
import { usePages } from "../../api/pages";
import { EmptyState } from "../../parts/EmptyState";
import { Listing } from "../../parts/Listing";
import { NothingFits } from "../../parts/NothingFits";
import { Page } from "../../parts/Page";
import { Status } from "../../parts/Status";
import { Time } from "../../parts/Time";
import { useFilters } from "../../parts/useFilters";
import { useAssigneeNames } from "./assignees";

const SCOPES = [
  { value: "me", label: "Mine" },
  { value: "team", label: "My teams" },
  { value: "all", label: "All" },
] as const;
const OPEN = "OPEN,IN_PROGRESS";
const DONE = "RESOLVED,REJECTED,CLOSED";

type Scope = (typeof SCOPES)[number]["value"];

export default function TicketsPage() {
  const orgId = useOrganizationId();
  const filters = useFilters();
  const assignee = (filters.get("assignee") ?? "all") as Scope;
  const done = filters.get("status") === "done";
  const status = done ? DONE : OPEN;
  const pages = usePages(
    ["organization", orgId, "tickets", "list", assignee, status],
    (after) =>
      ask(
        api.GET("/dashboard/api/organizations/{orgId}/tickets", {
          params: { path: { orgId }, query: { assignee, status, limit: 50, after } },
        }),
      ),
    { refetchInterval: 15_000 },
  );
  return (
    <Page title="Tickets" about="What agents ask of people: forms to fill in, and tasks that failed.">
      <Group>
        <SegmentedControl
          aria-label="Whose tickets"
          data={[...SCOPES]}
          value={assignee}
          onChange={(value) => filters.set("assignee", value === "all" ? null : value)}
        />
        <SegmentedControl
          aria-label="Open or done"
          data={[
            { value: "open", label: "Open" },
            { value: "done", label: "Done" },
          ]}
          value={done ? "done" : "open"}
          onChange={(value) => filters.set("status", value === "done" ? "done" : null)}
        />
      </Group>
      <Listing
        pages={pages}
        columns={["Ticket", "Status", "For", "Opened"]}
        minWidth={640}
        empty={
          assignee === "all" ? (
            <EmptyState icon={IconInbox} title={done ? "Nothing was done here yet" : "All clear"}>
              {done
                ? "Tickets that were completed, rejected or closed are listed here."
                : "A ticket appears here as soon as an agent needs a person."}
            </EmptyState>
          ) : (
            <NothingFits
              icon={IconInbox}
              things={done ? "done tickets" : "open tickets"}
              onClear={() => filters.set("assignee", null)}
            />
          )
        }
      >
        {(ticket) => <TicketRow key={ticket.id} orgId={orgId} ticket={ticket} />}
      </Listing>
    </Page>
  );
}

function TicketRow({ orgId, ticket }: { orgId: string; ticket: Schemas["Ticket"] }) {
  const nameOf = useActorName();
  const assignees = useAssigneeNames(orgId);
  return (
    <Table.Tr>
      <Table.Td>
        <Link className="rowLink" to={`/organizations/${orgId}/tickets/${ticket.id}`}>
          #{ticket.number} {ticket.title}
        </Link>
        <Text size="xs" c="dimmed">
          {ticket.workflow_name}
          {ticket.rule_type === "Exception" && " · exception"}
          {ticket.priority === "HIGH" && " · high priority"}
        </Text>
      </Table.Td>
      <Table.Td>
        <Status of={ticket.status} />
      </Table.Td>
      <Table.Td>
        <Text size="sm">
          {ticket.claimed_by ? `claimed by ${nameOf(ticket.claimed_by)}` : assignees(ticket.assignments)}
        </Text>
      </Table.Td>
      <Table.Td>
        <Time at={ticket.created_at} relative />
      </Table.Td>
    </Table.Tr>
  );
}
