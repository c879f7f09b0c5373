import { Group, Table, Text } from "@mantine/core";
import { IconRobot, IconUpload } from "@tabler/icons-react";
import { Link } from "react-router";
import { RowLink } from "../../components/PageLink";
import { useAgents, useOrganizationId, type Schemas } from "../../api";
import { SecondaryButton, DimmedXs, AddButton } from "../../components/variants";
import { countSet, FilterBar } from "../../components/FilterBar";
import { EmptyList } from "../../components/NoMatches";
import { formatShare } from "../../components/formatNumbers";
import { isBlank, PagedTable } from "../../components/PagedTable";
import { Page } from "../../components/Page";
import { SearchField } from "../../components/SearchField";
import { Time } from "../../components/Time";
import { useDialog } from "../../components/useDialog";
import { useFilters } from "../../components/useFilters";
import type { MeasuredRow } from "../../components/VirtualRows";
import { counted } from "../../components/counted";
import { SelectFilter } from "../../components/filters";
import { optionsOf } from "../../components/optionsOf";
import { AgentMenu } from "./AgentMenu";
import { AgentStatus } from "./AgentStatus";
import { ImportAgentDialog } from "./ImportAgentDialog";
import { LatestRuns } from "./LatestRuns";
import { NewAgentDialog } from "./NewAgentDialog";

const SORTS = optionsOf({ created: "Newest first", name: "Name", updated: "Last updated" });

const STATES = optionsOf({
  draft: "Draft",
  published: "Published",
  changed: "Unpublished changes",
  invalid: "Needs work",
});

export default function AgentsPage() {
  const dialog = useDialog("new-agent");
  const importing = useDialog("import-agent");
  const filters = useFilters();
  const search = filters.get("search");
  const sort = SORTS.find(({ value }) => value === filters.get("sort"))?.value ?? "created";
  const state = STATES.find(({ value }) => value === filters.get("status"))?.value;
  const filtered = search !== undefined || state !== undefined;
  const pages = useAgents({ search, state, sort });
  const create = (
    <>
      <SecondaryButton leftSection={<IconUpload size={16} />} onClick={importing.open}>
        Import
      </SecondaryButton>
      <AddButton onClick={dialog.open}>New agent</AddButton>
    </>
  );
  return (
    <Page
      title="Agents"
      about="Build agents from AI, Human, App and Coder tasks. Test them here, then run them through the API or in a conversation."
      actions={create}
    >
      {!isBlank(pages, filtered) && (
        <FilterBar
          labelled
          used={countSet([state])}
          search={<SearchField label="Search" placeholder="Name or description" maxLength={100} />}
        >
          <SelectFilter param="status" label="Status" w={190} data={STATES} />
          <SelectFilter param="sort" standard="created" label="Sort by" w={160} data={SORTS} />
        </FilterBar>
      )}
      <PagedTable
        pages={pages}
        columns={["Agent", "Status", "Recent runs", "Success, 7 days", "Updated", { hiddenLabel: "Actions" }]}
        minWidth={640}
        empty={
          <EmptyList
            things="agents"
            filtered={filtered}
            icon={IconRobot}
            title="No agents yet"
            action={<Group gap="sm">{create}</Group>}
          >
            Start from a template, from scratch or from a JSON definition.
          </EmptyList>
        }
      >
        {(agent) => <AgentRow key={agent.id} agent={agent} />}
      </PagedTable>
      <NewAgentDialog opened={dialog.opened} onClose={dialog.close} />
      <ImportAgentDialog opened={importing.opened} onClose={importing.close} />
    </Page>
  );
}

interface RowProps extends MeasuredRow {
  agent: Schemas["ListedWorkflow"];
}

function AgentRow({ ref, "data-index": index, agent }: RowProps) {
  const orgId = useOrganizationId();
  const base = `/organizations/${orgId}`;
  return (
    <Table.Tr ref={ref} data-index={index} data-two-columns>
      <Table.Td maw={420}>
        <RowLink to={`agents/${agent.id}`}>{agent.name}</RowLink>
        <DimmedXs lineClamp={1}>{agent.description}</DimmedXs>
      </Table.Td>
      <Table.Td>
        <AgentStatus agent={agent} />
      </Table.Td>
      <Table.Td>
        <LatestRuns runs={agent.latest_runs ?? []} />
      </Table.Td>
      <Table.Td data-label="Success">
        <SuccessRate
          to={`${base}/runs?agent=${agent.id}&hours=168&test_run=false`}
          rate={agent.success_rate}
        />
      </Table.Td>
      <Table.Td data-label="Updated">
        <Time at={agent.updated_at} relative />
      </Table.Td>
      <Table.Td data-menu>
        <AgentMenu agent={agent} />
      </Table.Td>
    </Table.Tr>
  );
}

/** The share of completed runs among those that completed or failed. */
function SuccessRate({ to, rate }: { to: string; rate: Schemas["SuccessRate"] | null }) {
  const ended = rate ? rate.completed + rate.failed : 0;
  if (!rate || ended === 0) {
    return (
      <Text span inherit c="dimmed">
        –
      </Text>
    );
  }
  const runs = rate.more ? `the last ${ended} runs` : counted(ended, "run");
  return (
    <>
      <Link
        className="rowLink"
        to={to}
        style={{ fontWeight: 500, color: rate.completed === 0 ? "var(--mantine-color-error)" : undefined }}
      >
        {formatShare(rate.completed, ended)}
      </Link>
      <Text size="xs" c={rate.failed > 0 ? "var(--mantine-color-error)" : "dimmed"}>
        {rate.failed > 0 ? `${rate.failed} of ${runs} failed` : runs}
      </Text>
    </>
  );
}
