import { Button, Table, Text } from "@mantine/core";
import { IconPlus, IconRobot } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, ask, type Schemas } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { usePages } from "../../api/pages";
import { EmptyState } from "../../parts/EmptyState";
import { Listing } from "../../parts/Listing";
import { Page } from "../../parts/Page";
import { Time } from "../../parts/Time";
import { useDialog } from "../../parts/useDialog";
import { AgentStatus } from "./AgentStatus";
import { LatestRuns } from "./LatestRuns";
import { NewAgentDialog } from "./NewAgentDialog";

export default function AgentsPage() {
  const orgId = useOrganizationId();
  const dialog = useDialog("new-agent");
  const pages = usePages(
    ["organization", orgId, "workflows", "pages"],
    (after) =>
      ask(
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
      about="Workflows of AI, Human, App and Coder tasks. Programs start them with an API key; people test them here."
      actions={create}
    >
      <Listing
        pages={pages}
        columns={["Agent", "Status", "Last runs", "Changed"]}
        minWidth={640}
        empty={
          <EmptyState icon={IconRobot} title="No agents yet" action={create}>
            Make one: begin with an empty graph, or import a document.
          </EmptyState>
        }
      >
        {(agent) => <AgentRow key={agent.id} orgId={orgId} agent={agent} />}
      </Listing>
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
      <Table.Td data-label="Last runs">
        <LatestRuns orgId={orgId} runs={agent.latest_runs ?? []} />
      </Table.Td>
      <Table.Td data-label="Changed">
        <Time at={agent.updated_at} relative />
      </Table.Td>
    </Table.Tr>
  );
}
