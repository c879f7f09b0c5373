import { Anchor, Checkbox, Table, Text } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState, type MouseEvent, type ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useActorName, useOrganizationId } from "../../api/organization";
import { usePagedQuery, type PagedQuery } from "../../api/pagination";
import { EmptyState } from "../../components/EmptyState";
import { PagedTable } from "../../components/PagedTable";
import { NoMatches } from "../../components/NoMatches";
import { Page } from "../../components/Page";
import { StatusLabel } from "../../components/StatusLabel";
import { formatCost, formatCount } from "../../components/formatNumbers";
import { formatDuration, Time } from "../../components/Time";
import { useFilters } from "../../components/useFilters";
import { filterQuery, readFilters } from "./runFilters";
import { RunFilterBar } from "./RunFilterBar";
import { SavedViews } from "./SavedViews";
import { MAX_SELECTED, SelectionBar } from "./SelectionBar";

export default function RunsPage() {
  const orgId = useOrganizationId();
  const params = useFilters();
  const { search } = useLocation();
  const filters = readFilters(new URLSearchParams(search));
  // A fixed time keeps the cursors of the list valid.
  const [opened] = useState(Date.now);
  const query = filterQuery(filters, opened);
  const key = ["organization", orgId, "runs", query];
  const pages = usePagedQuery(
    key,
    (after) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/instances", {
          params: { path: { orgId }, query: { ...query, limit: 100, after } },
        }),
      ),
    { refetchInterval: 5_000, idOf: (run) => run.workflow_instance_id, keepPrevious: true },
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
  return (
    <Page
      title="Runs"
      about="All runs, newest first. Select runs to compare or cancel them."
      actions={<SavedViews orgId={orgId} />}
    >
      <RunFilterBar filters={filters} params={params}>
        {total.data && (
          <Text size="sm" c="dimmed" pb={8} role="status">
            {formatCount(total.data.count)}
            {total.data.or_more ? " or more" : ""} {total.data.count === 1 ? "run" : "runs"}
          </Text>
        )}
      </RunFilterBar>
      <RunTable
        orgId={orgId}
        pages={pages}
        empty={
          params.any ? (
            <NoMatches icon={IconPlayerPlay} things="runs" onClear={params.clear} />
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

interface TableProps {
  orgId: string;
  pages: PagedQuery<Schemas["WorkflowInstanceSummary"]>;
  empty: ReactNode;
}

/** The chosen runs of a list; Shift chooses a range. */
function useSelection(items: Schemas["WorkflowInstanceSummary"][]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string>();
  const selected = useMemo(
    () => items.filter((run) => chosen.has(run.workflow_instance_id)),
    [items, chosen],
  );
  const toggle = (id: string, event: MouseEvent<HTMLInputElement>) => {
    const ids = items.map((run) => run.workflow_instance_id);
    const [from, at] = [event.shiftKey ? ids.indexOf(last ?? "") : -1, ids.indexOf(id)];
    const changed = from < 0 ? [id] : ids.slice(Math.min(from, at), Math.max(from, at) + 1);
    const next = new Set(selected.map((run) => run.workflow_instance_id));
    changed.forEach((each) => (event.currentTarget.checked ? next.add(each) : next.delete(each)));
    setLast(id);
    setChosen(new Set([...next].slice(0, MAX_SELECTED)));
  };
  return { chosen, selected, toggle, select: (ids: string[]) => setChosen(new Set(ids)) };
}

function RunTable({ orgId, pages, empty }: TableProps) {
  const nameOf = useActorName();
  const { chosen, selected, toggle, select } = useSelection(pages.items);
  const base = `/organizations/${orgId}/runs`;
  return (
    <>
      {selected.length > 0 && <SelectionBar orgId={orgId} selected={selected} onSelect={select} />}
      <PagedTable
        pages={pages}
        columns={[
          { hiddenLabel: "Select", width: 40 },
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
            <Table.Tr key={id} bg={chosen.has(id) ? "var(--mantine-color-default-hover)" : undefined}>
              <Table.Td>
                <Checkbox
                  aria-label={`Select ${id}`}
                  checked={chosen.has(id)}
                  onChange={() => undefined}
                  onClick={(event) => toggle(id, event)}
                />
              </Table.Td>
              <Table.Td>
                <Link className="rowLink" to={`${base}/${id}`}>
                  {nameOf(`agent:${run.workflow_id}`)}
                </Link>
                <Text size="xs" c="dimmed" lineClamp={1} maw={420} title={run.input_preview ?? undefined}>
                  {run.input_preview ?? `No input · …${id.slice(-8)}`}
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
