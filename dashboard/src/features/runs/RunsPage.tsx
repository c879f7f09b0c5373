import { IconPlayerPlay } from "@tabler/icons-react";
import {
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type MouseEvent,
  type ReactNode,
} from "react";
import { useLocation } from "react-router";
import { TextLink } from "../../components/PageLink";
import { useOrganizationId, useRunCount, type PagedQuery, type Schemas } from "../../api";
import { useActorName } from "../../components/actorNames";
import { Dimmed } from "../../components/variants";
import { isBlank, PagedTable } from "../../components/PagedTable";
import { EmptyList } from "../../components/NoMatches";
import { Page } from "../../components/Page";
import { formatCount } from "../../components/formatNumbers";
import { SavedViews } from "../../components/SavedViews";
import { useFilters } from "../../components/useFilters";
import { listShortcuts, useListKeys } from "../../components/useListKeys";
import { FILTER_NAMES, listSearch, readFilters } from "./runFilters";
import { RunFilterBar } from "./RunFilterBar";
import { RunRow } from "./RunRow";
import { MAX_SELECTED, SelectionBar } from "./SelectionBar";
import classes from "./runs.module.css";
import { selectedIn } from "./selectionState";
import { useRunList } from "./useRunList";

const SHORTCUTS = listShortcuts("Runs", "run", "runs");

export default function RunsPage() {
  useListKeys(SHORTCUTS);
  const params = useFilters();
  const { search } = useLocation();
  const filters = readFilters(new URLSearchParams(search));
  const { pages, query } = useRunList(filters, { poll: true });
  const total = useRunCount(query);
  return (
    <Page
      title="Runs"
      about="All runs, newest first. Select runs to compare them, run them again or cancel them."
      actions={<SavedViews list="run" filters={FILTER_NAMES} />}
    >
      {!isBlank(pages, params.any) && (
        <RunFilterBar
          filters={filters}
          params={params}
          after={
            total.data && (
              <Dimmed pb={8} role="status">
                {formatCount(total.data.count)}
                {total.data.or_more ? " or more" : ""} {total.data.count === 1 ? "run" : "runs"}
              </Dimmed>
            )
          }
        />
      )}
      <RunTable
        pages={pages}
        empty={
          <EmptyList things="runs" icon={IconPlayerPlay} title="No runs yet">
            Open an <TextLink to="agents">agent</TextLink> and test it, or start a conversation.
          </EmptyList>
        }
      />
    </Page>
  );
}

interface TableProps {
  pages: PagedQuery<Schemas["WorkflowInstanceSummary"]>;
  empty: ReactNode;
}

/** The chosen runs of a list; Shift chooses a range. The way back from a comparison restores its two runs. */
function useSelection(items: Schemas["WorkflowInstanceSummary"][]) {
  const { state } = useLocation();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(selectedIn(state)));
  const [last, setLast] = useState<string>();
  const selected = useMemo(
    () => items.filter((run) => chosen.has(run.workflow_instance_id)),
    [items, chosen],
  );
  // Rows render only when their props change, so they keep one function for the whole life of the list.
  const now = useRef({ items, selected, last });
  useLayoutEffect(() => {
    now.current = { items, selected, last };
  });
  const toggle = useCallback((id: string, event: MouseEvent<HTMLInputElement>) => {
    const { items: all, selected: before, last: from } = now.current;
    const ids = all.map((run) => run.workflow_instance_id);
    const [start, at] = [event.shiftKey ? ids.indexOf(from ?? "") : -1, ids.indexOf(id)];
    const changed = start < 0 ? [id] : ids.slice(Math.min(start, at), Math.max(start, at) + 1);
    const next = new Set(before.map((run) => run.workflow_instance_id));
    changed.forEach((each) => (event.currentTarget.checked ? next.add(each) : next.delete(each)));
    setLast(id);
    setChosen(new Set([...next].slice(0, MAX_SELECTED)));
  }, []);
  return { chosen, selected, toggle, select: (ids: string[]) => setChosen(new Set(ids)) };
}

function RunTable({ pages, empty }: TableProps) {
  const orgId = useOrganizationId();
  const nameOf = useActorName();
  const { chosen, selected, toggle, select } = useSelection(pages.items);
  const selectable = Math.min(pages.items.length, MAX_SELECTED);
  const base = `/organizations/${orgId}/runs`;
  const filters = listSearch(useLocation().search);
  return (
    <>
      {selected.length > 0 && <SelectionBar selected={selected} onSelect={select} />}
      <PagedTable
        pages={pages}
        columns={[
          {
            hiddenLabel: "Select",
            width: 40,
            content: (
              <input
                type="checkbox"
                className={classes.checkbox}
                aria-label={`Select the newest ${selectable} runs of the list`}
                checked={selected.length === selectable}
                ref={(box) => {
                  if (box) {
                    box.indeterminate = selected.length > 0 && selected.length < selectable;
                  }
                }}
                onChange={({ currentTarget: { checked } }) =>
                  select(
                    checked ? pages.items.slice(0, MAX_SELECTED).map((run) => run.workflow_instance_id) : [],
                  )
                }
              />
            ),
          },
          "Run",
          "Status",
          "Version",
          "Started by",
          "Started",
          { label: "Duration", numeric: true },
          { label: "Tokens", numeric: true },
        ]}
        minWidth={760}
        empty={empty}
      >
        {(run) => (
          <RunRow
            key={run.workflow_instance_id}
            run={run}
            to={`${base}/${run.workflow_instance_id}${filters}`}
            agent={nameOf(`agent:${run.workflow_id}`)}
            startedBy={nameOf(run.created_by)}
            selected={chosen.has(run.workflow_instance_id)}
            onToggle={toggle}
          />
        )}
      </PagedTable>
    </>
  );
}
