import type { paths } from "../../api/schema";

export type TicketQuery = NonNullable<
  paths["/dashboard/api/organizations/{orgId}/tickets"]["get"]["parameters"]["query"]
>;

const SCOPES = [
  { value: "mine", label: "For me", detail: "" },
  { value: "team", label: "Unclaimed", detail: " in my teams" },
  { value: "all", label: "All", detail: "" },
] as const;

const STATUSES = {
  open: { label: "Open", query: "OPEN,IN_PROGRESS" },
  unclaimed: { label: "Unclaimed", query: "OPEN" },
  claimed: { label: "Claimed", query: "IN_PROGRESS" },
  done: { label: "Done", query: "RESOLVED,REJECTED,CLOSED" },
} as const;

const SORTS = {
  created: "Newest first",
  oldest: "Oldest first",
  due: "Due date",
  priority: "Priority",
  updated: "Last updated",
} as const;

export type Scope = (typeof SCOPES)[number]["value"];
export type Status = keyof typeof STATUSES;
export type Sort = keyof typeof SORTS;

export const STATUS_OPTIONS = Object.entries(STATUSES).map(([value, { label }]) => ({ value, label }));
export const SORT_OPTIONS = Object.entries(SORTS).map(([value, label]) => ({ value, label }));

export interface TicketFilters {
  scope: Scope;
  status: Status;
  sort: Sort;
  search: string;
  agent: string | undefined;
  team: number | undefined;
  overdue: boolean;
}

/** The parameters of the page's URL, with their defaults. */
const DEFAULTS = { assignee: "mine", status: "open", sort: "created" } as const;

/** Reads the filters from the URL of a list, or of a ticket that was opened from it; ignores unknown values. */
export function readFilters(search: URLSearchParams): TicketFilters {
  const scope = search.get("assignee") ?? "";
  const status = search.get("status") ?? "";
  const sort = search.get("sort") ?? "";
  const agent = search.get("agent") ?? "";
  const team = search.get("team") ?? "";
  return {
    scope: SCOPES.find((each) => each.value === scope)?.value ?? DEFAULTS.assignee,
    status: Object.hasOwn(STATUSES, status) ? (status as Status) : DEFAULTS.status,
    sort: Object.hasOwn(SORTS, sort) ? (sort as Sort) : DEFAULTS.sort,
    search: (search.get("search") ?? "").slice(0, 200),
    agent: /^[0-9a-f]{32}$/.test(agent) ? agent : undefined,
    team: /^\d{1,9}$/.test(team) ? Number(team) : undefined,
    overdue: search.get("overdue") === "true",
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
export function filterQuery({ scope, status, search, agent, team, overdue }: TicketFilters) {
  return {
    assignee: scope === "mine" ? "me" : scope,
    status: STATUSES[statusOf({ scope, status })].query,
    ...(search.trim() && { search: search.trim() }),
    ...(agent && { workflow_id: agent }),
    ...(team !== undefined && { team_id: team }),
    ...(scope === "team" && { test_run: false }),
    ...(overdue && { overdue: "true" }),
  } satisfies TicketQuery;
}

/** The query of every count in the menu, in the tabs and on the overview, which leaves out tickets of test runs. */
export const countQuery = (filters: TicketFilters) =>
  ({ ...filterQuery(filters), test_run: false }) satisfies TicketQuery;

/** Whether the list is narrowed beyond its scope. */
export const isNarrowed = ({ scope, search, agent, team, overdue, status }: TicketFilters) =>
  search.trim() !== "" ||
  agent !== undefined ||
  team !== undefined ||
  overdue ||
  (hasStatuses(scope) && (status === "unclaimed" || status === "claimed"));
