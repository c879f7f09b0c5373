import { Button, Table, Text } from "@mantine/core";
import { IconPlus, IconRobot } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { usePagedQuery } from "../../api/pagination";
import { EmptyState } from "../../components/EmptyState";
import { PagedTable } from "../../components/PagedTable";
import { Page } from "../../components/Page";
import { Time } from "../../components/Time";
import { useDialog } from "../../components/useDialog";
import { AgentMenu } from "./AgentMenu";
import { AgentStatus } from "./AgentStatus";
import { LatestRuns } from "./LatestRuns";
import { NewAgentDialog } from "./NewAgentDialog";

export default function AgentsPage() {
  const orgId = useOrganizationId();
  const dialog = useDialog("new-agent");
  const pages = usePagedQuery(
    ["organization", orgId, "workflows", "pages"],
    (after) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/workflows", {
          params: { path: { orgId }, query: { limit: 50, after, include: "latest_runs" } },
        }),
      ),
    { refetchInterval: 10_000 },
  );
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      New agent
    </Button>
  );
  return (
    <Page
      title="Agents"
      about="Build agents from AI, Human, App and Coder tasks. Test them here, then run them through the API or in a conversation."
      actions={create}
    >
      <PagedTable
        pages={pages}
        columns={["Agent", "Status", "Recent runs", "Updated", { hiddenLabel: "Actions" }]}
        minWidth={640}
        empty={
          <EmptyState icon={IconRobot} title="No agents yet" action={create}>
            Start from a template, from scratch or from a JSON definition.
          </EmptyState>
        }
      >
        {(agent) => <AgentRow key={agent.id} orgId={orgId} agent={agent} />}
      </PagedTable>
      <NewAgentDialog orgId={orgId} opened={dialog.opened} onClose={dialog.close} />
    </Page>
  );
}

interface RowProps {
  orgId: string;
  agent: Schemas["ListedWorkflow"];
}

function AgentRow({ orgId, agent }: RowProps) {
  const base = `/organizations/${orgId}`;
  return (
    <Table.Tr>
      <Table.Td maw={420}>
        <Link className="rowLink" to={`${base}/agents/${agent.id}`}>
          {agent.name}
        </Link>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {agent.description}
        </Text>
      </Table.Td>
      <Table.Td>
        <AgentStatus agent={agent} />
      </Table.Td>
      <Table.Td data-label="Recent runs">
        <LatestRuns orgId={orgId} runs={agent.latest_runs ?? []} />
      </Table.Td>
      <Table.Td data-label="Updated">
        <Time at={agent.updated_at} relative />
      </Table.Td>
      <Table.Td>
        <AgentMenu orgId={orgId} agent={agent} />
      </Table.Td>
    </Table.Tr>
  );
}
