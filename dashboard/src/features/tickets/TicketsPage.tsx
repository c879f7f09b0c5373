import { Group, SegmentedControl, Table, Text } from "@mantine/core";
import { IconInbox } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useActorName, useOrganizationId } from "../../api/organization";
import { usePagedQuery } from "../../api/pagination";
import { EmptyState } from "../../components/EmptyState";
import { PagedTable } from "../../components/PagedTable";
import { NoMatches } from "../../components/NoMatches";
import { Page } from "../../components/Page";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { useFilters } from "../../components/useFilters";
import { useAssigneeNames } from "./useAssigneeNames";

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
  const pages = usePagedQuery(
    ["organization", orgId, "tickets", "list", assignee, status],
    (after) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/tickets", {
          params: { path: { orgId }, query: { assignee, status, limit: 50, after } },
        }),
      ),
    { refetchInterval: 15_000 },
  );
  return (
    <Page title="Tickets" about="Approvals, forms and failed tasks that need a person.">
      <Group>
        <SegmentedControl
          aria-label="Assignee"
          data={[...SCOPES]}
          value={assignee}
          onChange={(value) => filters.set("assignee", value === "all" ? null : value)}
        />
        <SegmentedControl
          aria-label="Status"
          data={[
            { value: "open", label: "Open" },
            { value: "done", label: "Done" },
          ]}
          value={done ? "done" : "open"}
          onChange={(value) => filters.set("status", value === "done" ? "done" : null)}
        />
      </Group>
      <PagedTable
        pages={pages}
        columns={["Ticket", "Status", "Assigned to", "Opened"]}
        minWidth={640}
        empty={
          assignee === "all" ? (
            <EmptyState icon={IconInbox} title={done ? "No completed tickets yet" : "All clear"}>
              {done
                ? "Completed, rejected and closed tickets appear here."
                : "Tickets appear here when an agent needs someone."}
            </EmptyState>
          ) : (
            <NoMatches
              icon={IconInbox}
              things={done ? "done tickets" : "open tickets"}
              onClear={() => filters.set("assignee", null)}
            />
          )
        }
      >
        {(ticket) => <TicketRow key={ticket.id} orgId={orgId} ticket={ticket} />}
      </PagedTable>
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
        <StatusLabel status={ticket.status} />
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
