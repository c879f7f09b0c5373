import { Button, Group, Select, Table, Text } from "@mantine/core";
import { IconPlus, IconRobot, IconUpload } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { usePagedQuery } from "../../api/pagination";
import { EmptyState } from "../../components/EmptyState";
import { countSet, FilterBar } from "../../components/FilterBar";
import { NoMatches } from "../../components/NoMatches";
import { formatShare } from "../../components/formatNumbers";
import { isBlank, PagedTable } from "../../components/PagedTable";
import { Page } from "../../components/Page";
import { SearchField } from "../../components/SearchField";
import { Time } from "../../components/Time";
import { useDialog } from "../../components/useDialog";
import { useFilters } from "../../components/useFilters";
import type { MeasuredRow } from "../../components/VirtualRows";
import { AgentMenu } from "./AgentMenu";
import { AgentStatus } from "./AgentStatus";
import { ImportAgentDialog } from "./ImportAgentDialog";
import { LatestRuns } from "./LatestRuns";
import { NewAgentDialog } from "./NewAgentDialog";

const SORTS = [
  { value: "created", label: "Newest first" },
  { value: "name", label: "Name" },
  { value: "updated", label: "Last updated" },
] as const;

const STATES = [
  { value: "draft", label: "Draft" },
  { value: "published", label: "Published" },
  { value: "changed", label: "Unpublished changes" },
  { value: "invalid", label: "Needs work" },
] as const;

export default function AgentsPage() {
  const orgId = useOrganizationId();
  const dialog = useDialog("new-agent");
  const importing = useDialog("import-agent");
  const filters = useFilters();
  const search = filters.get("search");
  const sort = SORTS.find(({ value }) => value === filters.get("sort"))?.value ?? SORTS[0].value;
  const state = STATES.find(({ value }) => value === filters.get("status"))?.value;
  const filtered = search !== undefined || state !== undefined;
  const pages = usePagedQuery(
    ["organization", orgId, "workflows", "pages", search, state, sort],
    (after) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/workflows", {
          params: {
            path: { orgId },
            query: { limit: 50, after, search, state, sort, include: "latest_runs" },
          },
        }),
      ),
    { refetchInterval: 10_000, idOf: ({ id }) => id, keepPrevious: true },
  );
  const create = (
    <>
      <Button variant="default" leftSection={<IconUpload size={16} />} onClick={importing.open}>
        Import
      </Button>
      <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
        New agent
      </Button>
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
          search={
            <SearchField
              label="Search"
              placeholder="Name or description"
              maxLength={100}
              searched={search ?? ""}
              onSearch={(text) => filters.set("search", text)}
            />
          }
        >
          <Select
            label="Status"
            placeholder="All"
            w={190}
            clearable
            data={STATES}
            value={state ?? null}
            onChange={(value) => filters.set("status", value)}
          />
          <Select
            label="Sort by"
            w={160}
            allowDeselect={false}
            data={SORTS}
            value={sort}
            onChange={(value) => filters.set("sort", value === SORTS[0].value ? null : value)}
          />
        </FilterBar>
      )}
      <PagedTable
        pages={pages}
        columns={["Agent", "Status", "Recent runs", "Success, 7 days", "Updated", { hiddenLabel: "Actions" }]}
        minWidth={640}
        empty={
          filtered ? (
            <NoMatches icon={IconRobot} things="agents" onClear={filters.clear} />
          ) : (
            <EmptyState icon={IconRobot} title="No agents yet" action={<Group gap="sm">{create}</Group>}>
              Start from a template, from scratch or from a JSON definition.
            </EmptyState>
          )
        }
      >
        {(agent) => <AgentRow key={agent.id} orgId={orgId} agent={agent} />}
      </PagedTable>
      <NewAgentDialog orgId={orgId} opened={dialog.opened} onClose={dialog.close} />
      <ImportAgentDialog orgId={orgId} opened={importing.opened} onClose={importing.close} />
    </Page>
  );
}

interface RowProps extends MeasuredRow {
  orgId: string;
  agent: Schemas["ListedWorkflow"];
}

function AgentRow({ ref, "data-index": index, orgId, agent }: RowProps) {
  const base = `/organizations/${orgId}`;
  return (
    <Table.Tr ref={ref} data-index={index} data-two-columns>
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
      <Table.Td>
        <LatestRuns orgId={orgId} runs={agent.latest_runs ?? []} />
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
        <AgentMenu orgId={orgId} agent={agent} />
      </Table.Td>
    </Table.Tr>
  );
}

interface RateProps {
  to: string;
  rate: Schemas["SuccessRate"] | null;
}

/** The share of completed runs among those that completed or failed. */
function SuccessRate({ to, rate }: RateProps) {
  const ended = rate ? rate.completed + rate.failed : 0;
  if (!rate || ended === 0) {
    return (
      <Text span inherit c="dimmed">
        –
      </Text>
    );
  }
  const runs = rate.more ? `the last ${ended} runs` : `${ended} ${ended === 1 ? "run" : "runs"}`;
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
