import { Button, Group, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus, IconRobot } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { api, ask, type Schemas } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { usePages } from "../../api/pages";
import { EmptyState } from "../../parts/EmptyState";
import { Listing } from "../../parts/Listing";
import { Page } from "../../parts/Page";
import { Status } from "../../parts/Status";
import { Time } from "../../parts/Time";
import { AgentStatus } from "./AgentStatus";
import { NewAgentDialog } from "./NewAgentDialog";

const SHOWN = 3;

export default function AgentsPage() {
  const orgId = useOrganizationId();
  const [creating, dialog] = useDisclosure(false);
  const pages = usePages(["organization", orgId, "workflows", "pages"], (after) =>
    ask(
      api.GET("/dashboard/api/organizations/{orgId}/workflows", {
        params: { path: { orgId }, query: { limit: 50, after } },
      }),
    ),
  );
  const runs = useQuery({
    queryKey: ["organization", orgId, "runs", "latest"],
    queryFn: () =>
      ask(
        api.GET("/dashboard/api/organizations/{orgId}/instances", {
          params: { path: { orgId }, query: { limit: 100 } },
        }),
      ),
  });
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
        {(agent) => (
          <AgentRow
            key={agent.id}
            orgId={orgId}
            agent={agent}
            runs={(runs.data?.items ?? []).filter((run) => run.workflow_id === agent.id).slice(0, SHOWN)}
          />
        )}
      </Listing>
      <NewAgentDialog orgId={orgId} opened={creating} onClose={dialog.close} />
    </Page>
  );
}

interface RowProps {
  orgId: string;
  agent: Schemas["Workflow"];
  runs: Schemas["WorkflowInstanceSummary"][];
}

function AgentRow({ orgId, agent, runs }: RowProps) {
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
        <Group gap={4}>
          {runs.length === 0 && "–"}
          {runs.map((run) => (
            <Link
              key={run.workflow_instance_id}
              to={`${base}/runs/${run.workflow_instance_id}`}
              className="rowLink"
            >
              <Status of={run.status} />
            </Link>
          ))}
        </Group>
      </Table.Td>
      <Table.Td data-label="Changed">
        <Time at={agent.updated_at} relative />
      </Table.Td>
    </Table.Tr>
  );
}
