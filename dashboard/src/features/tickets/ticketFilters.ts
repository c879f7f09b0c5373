import type { paths } from "../../api/schema";
import { truncate } from "../../components/truncate";

export type TicketQuery = NonNullable<
  paths["/dashboard/api/organizations/{orgId}/tickets"]["get"]["parameters"]["query"]
>;

const SCOPES = [
  { value: "mine", label: "For me", detail: "" },
  { value: "team", label: "Unclaimed", detail: " in my teams" },
  { value: "all", label: "All", detail: "" },
] as const;

const STATUSES = {
  open: { label: "Open", query: ["OPEN", "IN_PROGRESS"] },
  unclaimed: { label: "Unclaimed", query: ["OPEN"] },
  claimed: { label: "Claimed", query: ["IN_PROGRESS"] },
  done: { label: "Done", query: ["RESOLVED", "REJECTED", "CLOSED"] },
} satisfies Record<string, { label: string; query: TicketQuery["status"] }>;

const SORTS = {
  due: "Due date",
  created: "Newest first",
  oldest: "Oldest first",
  priority: "Priority",
  updated: "Last updated",
  resolved: "Last finished",
} as const;

export type Scope = (typeof SCOPES)[number]["value"];
export type Status = keyof typeof STATUSES;
export type Sort = keyof typeof SORTS;

export const STATUS_OPTIONS = Object.entries(STATUSES).map(([value, { label }]) => ({ value, label }));

/** The orders to choose from; the first is the default. Only done tickets have finished. */
export const sortOptions = (filters: Pick<TicketFilters, "scope" | "status">) => {
  const { resolved, ...open } = SORTS;
  const labels: Record<string, string> = statusOf(filters) === "done" ? { resolved, ...open } : open;
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
};

export interface TicketFilters {
  scope: Scope;
  status: Status;
  sort: Sort;
  search: string;
  agent: string | undefined;
  team: number | undefined;
  overdue: boolean;
  /** Whether tickets of test runs are included. */
  tests: boolean;
}

/** The parameters of the page's URL, with their defaults. */
const DEFAULTS = { assignee: "mine", status: "open" } as const;

/** Reads the filters from the URL of a list, or of a ticket that was opened from it; ignores unknown values. */
export function readFilters(search: URLSearchParams): TicketFilters {
  const wantedScope = search.get("assignee") ?? "";
  const wantedStatus = search.get("status") ?? "";
  const scope = SCOPES.find((each) => each.value === wantedScope)?.value ?? DEFAULTS.assignee;
  const status = Object.hasOwn(STATUSES, wantedStatus) ? (wantedStatus as Status) : DEFAULTS.status;
  const sorts = sortOptions({ scope, status }).map(({ value }) => value as Sort);
  const sort = search.get("sort") ?? "";
  const agent = search.get("agent") ?? "";
  const team = search.get("team") ?? "";
  return {
    scope,
    status,
    sort: sorts.find((each) => each === sort) ?? sorts[0]!,
    search: truncate(search.get("search") ?? "", 200),
    agent: /^[0-9a-f]{32}$/.test(agent) ? agent : undefined,
    team: /^\d{1,9}$/.test(team) ? Number(team) : undefined,
    overdue: search.get("overdue") === "true",
    tests: search.get("tests") === "true",
  };
}

/** The value for the URL: nothing for a default. */
export const inUrl = (name: keyof typeof DEFAULTS, value: string | null) =>
  value === DEFAULTS[name] ? null : value;

/** The statuses to choose from. The tickets of the user's teams have one, as a claimed ticket is somebody's. */
export const hasStatuses = (scope: Scope) => scope !== "team";

/** The lists to choose from. The one of the teams is offered only beside others that have its tickets. */
export const scopesBeside = ({ scope, status }: Pick<TicketFilters, "scope" | "status">) =>
  SCOPES.filter(
    ({ value }) => value !== "team" || scope === "team" || status === "open" || status === "unclaimed",
  );

/** The status that applies. */
export const statusOf = ({ scope, status }: Pick<TicketFilters, "scope" | "status">): Status =>
  hasStatuses(scope) ? status : "unclaimed";

/** The filters for the API. */
export function filterQuery({ scope, status, search, agent, team, overdue, tests }: TicketFilters) {
  return {
    assignee: scope === "mine" ? "me" : scope,
    status: STATUSES[statusOf({ scope, status })].query,
    ...(search.trim() && { search: search.trim() }),
    ...(agent && { workflow_id: agent }),
    ...(team !== undefined && { team_id: team }),
    ...(!tests && { test_run: false }),
    ...(overdue && { overdue: true }),
  } satisfies TicketQuery;
}

/** The lists of all open and all done tickets that match the search, without other filters. */
export function widerLists({ search, sort }: TicketFilters): Record<"all" | "done", TicketFilters> {
  const wide = {
    scope: "all",
    search,
    sort,
    agent: undefined,
    team: undefined,
    overdue: false,
    tests: true,
  } as const;
  return { all: { ...wide, status: "open" }, done: { ...wide, status: "done" } };
}

/** Whether the list is narrowed beyond its scope. */
export const isNarrowed = ({ scope, search, agent, team, overdue, status }: TicketFilters) =>
  search.trim() !== "" ||
  agent !== undefined ||
  team !== undefined ||
  overdue ||
  (hasStatuses(scope) && (status === "unclaimed" || status === "claimed"));
