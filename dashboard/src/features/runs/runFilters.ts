import type { Schemas } from "../../api";
import { optionsOf } from "../../components/optionsOf";
import { truncate } from "../../components/truncate";

type Status = Schemas["InstanceStatus"];

export const STATUSES = [
  "RUNNING",
  "PAUSED",
  "COMPLETED",
  "FAILED",
  "CANCELLED",
  "TERMINATED",
] satisfies Status[];

export const SPANS = optionsOf({
  1: "Last hour",
  24: "Last day",
  168: "Last week",
  720: "Last 30 days",
  2160: "Last 90 days",
  custom: "Custom range",
});

/** Whether test runs are listed, as the URL holds it. */
export const TEST_RUNS = optionsOf({ false: "Hidden", true: "Only test runs" });

/** The filters of the list, as the URL holds them. */
export interface RunFilters {
  statuses: Status[];
  agent: string | undefined;
  /** The hours before now; "custom" for a range; undefined for any time. */
  span: string | undefined;
  from: string | undefined;
  to: string | undefined;
  search: string | undefined;
  /** One of TEST_RUNS; undefined for all runs. */
  testRuns: string | undefined;
  /** The run whose sub-workflows are listed. */
  parent: string | undefined;
}

const INSTANCE_ID = /^[0-9a-f]{32}$/;
const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** Reads the filters from the URL and ignores unknown values. */
export function readFilters(search: URLSearchParams): RunFilters {
  const statuses = (search.get("status") ?? "").split(",");
  const time = (name: string) => {
    const text = search.get(name) ?? "";
    return LOCAL_TIME.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
  };
  const [from, to] = [time("from"), time("to")];
  const hours = SPANS.find(({ value }) => value === search.get("hours"))?.value;
  return {
    statuses: STATUSES.filter((each) => statuses.includes(each)),
    agent: search.get("agent") ?? undefined,
    span: from || to ? "custom" : hours,
    from,
    to,
    testRuns: TEST_RUNS.find(({ value }) => value === search.get("test_run"))?.value,
    search: truncate(search.get("search") ?? "", 200) || undefined,
    parent: INSTANCE_ID.test(search.get("parent") ?? "") ? search.get("parent")! : undefined,
  };
}

/** The filters for the API. Times of the URL are local, without a zone. */
export function filterQuery(filters: RunFilters, now: number) {
  const { statuses, agent, span, from, to, search, testRuns, parent } = filters;
  const hours = Number(span);
  const since = hours > 0 ? new Date(now - hours * 3_600_000) : from && new Date(from);
  return {
    status: statuses.length > 0 ? statuses : undefined,
    workflow_id: agent,
    created_since: since ? since.toISOString() : undefined,
    created_until: to && !(hours > 0) ? new Date(to).toISOString() : undefined,
    search,
    test_run: testRuns === undefined ? undefined : testRuns === "true",
    parent_instance_id: parent,
  };
}

/** The filters by their names in the URL. */
export const FILTER_NAMES = ["status", "agent", "hours", "from", "to", "search", "test_run", "parent"];

/** The filters of the list in the URL of a run, which also names a task and a tab; empty without filters. */
export function listSearch(search: string): string {
  const all = new URLSearchParams(search);
  const filters = new URLSearchParams(
    FILTER_NAMES.flatMap((name) => (all.has(name) ? [[name, all.get(name)!]] : [])),
  );
  return filters.size > 0 ? `?${filters}` : "";
}

/** The address of a comparison, with the list's filters for the way back. */
export function comparisonPath(orgId: string, left: string, right: string, search: string): string {
  const query = new URLSearchParams([
    ["left", left],
    ["right", right],
    ...new URLSearchParams(listSearch(search)),
  ]);
  return `/organizations/${orgId}/runs/compare?${query}`;
}
