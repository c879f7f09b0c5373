import { Anchor, Button, Checkbox, Group, Select, Table, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconPlayerPlay, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useActorName, useOrganizationId } from "../../api/organization";
import { usePagedQuery, type PagedQuery } from "../../api/pagination";
import { AgentFilter } from "../../components/AgentFilter";
import { EmptyState } from "../../components/EmptyState";
import { PagedTable } from "../../components/PagedTable";
import { NoMatches } from "../../components/NoMatches";
import { Page } from "../../components/Page";
import { StatusLabel, statusText } from "../../components/StatusLabel";
import { formatCost, formatCount } from "../../components/formatNumbers";
import { formatDuration, Time } from "../../components/Time";
import { useFilters } from "../../components/useFilters";

const STATUSES: Schemas["InstanceStatus"][] = [
  "RUNNING",
  "PAUSED",
  "COMPLETED",
  "FAILED",
  "CANCELLED",
  "TERMINATED",
];
const SPANS = [
  { value: "1", label: "Last hour" },
  { value: "24", label: "Last day" },
  { value: "168", label: "Last week" },
  { value: "720", label: "Last 30 days" },
];

export default function RunsPage() {
  const orgId = useOrganizationId();
  const filters = useFilters();
  const status = STATUSES.find((each) => each === filters.get("status"));
  const workflow_id = filters.get("agent");
  const hours = SPANS.find((each) => each.value === filters.get("hours"))?.value;
  // A fixed start time keeps the cursors of the list valid.
  const created_since = useSince(hours);
  const search = filters.get("search");
  const query = { status, workflow_id, created_since, search };
  const key = ["organization", orgId, "runs", status, workflow_id, created_since, search];
  const pages = usePagedQuery(
    key,
    (after) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/instances", {
          params: { path: { orgId }, query: { ...query, limit: 100, after } },
        }),
      ),
    { refetchInterval: 5_000, idOf: (run) => run.workflow_instance_id },
  );
  const total = useQuery({
    queryKey: [...key, "count"],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/instances/count", {
          params: { path: { orgId }, query },
        }),
      ),
    refetchInterval: 15_000,
    placeholderData: (before) => before,
  });
  const searchFor = useDebouncedCallback((text: string) => filters.set("search", text.trim() || null), 300);
  return (
    <Page title="Runs" about="All runs, newest first. Select two to compare.">
      <Group className="filters" align="flex-end">
        <TextInput
          label="Search"
          placeholder="Input text or run ID"
          leftSection={<IconSearch size={16} />}
          defaultValue={search}
          onChange={(event) => searchFor(event.currentTarget.value)}
          maxLength={200}
        />
        <Select
          label="Status"
          placeholder="All"
          clearable
          data={STATUSES.map((value) => ({ value, label: statusText(value) }))}
          value={status ?? null}
          onChange={(value) => filters.set("status", value)}
        />
        <AgentFilter value={workflow_id} onChange={(value) => filters.set("agent", value)} />
        <Select
          label="Started"
          placeholder="Any time"
          clearable
          data={SPANS}
          value={hours ?? null}
          onChange={(value) => filters.set("hours", value)}
        />
        {total.data && (
          <Text size="sm" c="dimmed" pb={8} role="status">
            {formatCount(total.data.count)}
            {total.data.or_more ? " or more" : ""} {total.data.count === 1 ? "run" : "runs"}
          </Text>
        )}
      </Group>
      <RunTable
        orgId={orgId}
        pages={pages}
        empty={
          filters.any ? (
            <NoMatches icon={IconPlayerPlay} things="runs" onClear={filters.clear} />
          ) : (
            <EmptyState icon={IconPlayerPlay} title="No runs yet">
              Open an{" "}
              <Anchor component={Link} inherit to={`/organizations/${orgId}/agents`}>
                agent
              </Anchor>{" "}
              and test it, or start a conversation.
            </EmptyState>
          )
        }
      />
    </Page>
  );
}

function useSince(hours: string | undefined): string | undefined {
  const [opened] = useState(Date.now);
  return hours ? new Date(opened - Number(hours) * 3_600_000).toISOString() : undefined;
}

interface TableProps {
  orgId: string;
  pages: PagedQuery<Schemas["WorkflowInstanceSummary"]>;
  empty: ReactNode;
}

function RunTable({ orgId, pages, empty }: TableProps) {
  const nameOf = useActorName();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<string[]>([]);
  const base = `/organizations/${orgId}/runs`;
  return (
    <>
      {chosen.length > 0 && (
        <Group>
          <Button
            size="xs"
            disabled={chosen.length !== 2}
            onClick={() => navigate(`${base}/compare?left=${chosen[0]}&right=${chosen[1]}`)}
          >
            {chosen.length === 2 ? "Compare" : "Select one more to compare"}
          </Button>
          <Button size="xs" variant="subtle" onClick={() => setChosen([])}>
            Clear selection
          </Button>
        </Group>
      )}
      <PagedTable
        pages={pages}
        columns={[
          { hiddenLabel: "Compare", width: 40 },
          "Run",
          "Status",
          "Version",
          "Started by",
          "Started",
          "Duration",
          "Tokens",
        ]}
        minWidth={760}
        empty={empty}
      >
        {(run) => {
          const id = run.workflow_instance_id;
          return (
            <Table.Tr key={id}>
              <Table.Td>
                <Checkbox
                  aria-label={`Compare ${id}`}
                  checked={chosen.includes(id)}
                  disabled={chosen.length === 2 && !chosen.includes(id)}
                  onChange={(event) =>
                    setChosen(
                      event.currentTarget.checked ? [...chosen, id] : chosen.filter((each) => each !== id),
                    )
                  }
                />
              </Table.Td>
              <Table.Td>
                <Link className="rowLink" to={`${base}/${id}`}>
                  {nameOf(`agent:${run.workflow_id}`)}
                </Link>
                <Text size="xs" c="dimmed" lineClamp={1} maw={420} title={run.input_preview ?? undefined}>
                  {run.input_preview ?? `No input · ${id.slice(-8)}`}
                </Text>
              </Table.Td>
              <Table.Td>
                <StatusLabel status={run.status} />
              </Table.Td>
              <Table.Td data-label="Version">
                {run.workflow_version === 0 ? "Draft" : run.workflow_version}
              </Table.Td>
              <Table.Td data-label="By">{nameOf(run.created_by)}</Table.Td>
              <Table.Td>
                <Time at={run.created_at} relative />
              </Table.Td>
              <Table.Td data-label="Duration">
                {run.finished_at
                  ? formatDuration(Date.parse(run.finished_at) - Date.parse(run.created_at))
                  : "–"}
              </Table.Td>
              <Table.Td data-label="Tokens">
                {formatCount(run.input_tokens + run.output_tokens)}
                {run.cost_micros > 0 && ` · ${formatCost(run.cost_micros)}`}
              </Table.Td>
            </Table.Tr>
          );
        }}
      </PagedTable>
    </>
  );
}
