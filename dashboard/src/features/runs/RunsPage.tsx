import { Anchor, Button, Checkbox, Group, Select, Table } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
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
import { formatDuration, Time } from "../../components/Time";
import { useFilters } from "../../components/useFilters";

const STATUSES = ["RUNNING", "PAUSED", "COMPLETED", "FAILED", "CANCELLED", "TERMINATED"];
const SPANS = [
  { value: "1", label: "Last hour" },
  { value: "24", label: "Last day" },
  { value: "168", label: "Last week" },
  { value: "720", label: "Last 30 days" },
];

export default function RunsPage() {
  const orgId = useOrganizationId();
  const filters = useFilters();
  const status = filters.get("status");
  const workflow_id = filters.get("agent");
  const hours = SPANS.find((each) => each.value === filters.get("hours"))?.value;
  // A fixed start time keeps the cursors of the list valid.
  const created_since = useSince(hours);
  const pages = usePagedQuery(
    ["organization", orgId, "runs", status, workflow_id, created_since],
    (after) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/instances", {
          params: { path: { orgId }, query: { status, workflow_id, created_since, limit: 50, after } },
        }),
      ),
    { refetchInterval: 5_000 },
  );
  return (
    <Page title="Runs" about="All runs, newest first. Select two to compare.">
      <Group className="filters">
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
        ]}
        minWidth={680}
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
            </Table.Tr>
          );
        }}
      </PagedTable>
    </>
  );
}
