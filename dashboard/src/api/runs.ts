import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { queryClient } from "./queryClient";
import type { Schemas } from "./client";
import {
  itemChange,
  readAll,
  organizationKey,
  refetch,
  useOrganizationId,
  useOrganizationQuery,
  usePages,
  useRead,
  type Reactions,
} from "./hooks";
import { get, post, type RequestQuery } from "./requests";

const ONE = "instances/{instanceId}";

type Run = Schemas["WorkflowInstance"];

const RUNNING_POLL_MS = 1_000;
const PAUSED_POLL_MS = 5_000;

/** A live stream reports the run's status and tickets, but not which task runs or ends, also while the run is paused. */
const STREAMED_POLL_MS = 5_000;

const POLL_INTERVALS: Partial<Record<Schemas["InstanceStatus"], number>> = {
  RUNNING: RUNNING_POLL_MS,
  PAUSED: PAUSED_POLL_MS,
};

export const isFinished = (status: Schemas["InstanceStatus"]) => POLL_INTERVALS[status] === undefined;

export const pollInterval = (status: Schemas["InstanceStatus"] | undefined, isStreamed: boolean) => {
  const interval = status && POLL_INTERVALS[status];
  return interval && isStreamed ? STREAMED_POLL_MS : (interval ?? false);
};

/** The first page is polled. */
export const useRunPages = (query: RequestQuery<"instances">, poll: boolean) =>
  usePages("instances", {}, ["runs", query], {
    query,
    limit: 100,
    idOf: (run) => run.workflow_instance_id,
    refetchInterval: poll ? 5_000 : undefined,
    keepPrevious: true,
  });

export const useRunCount = (query: RequestQuery<"instances/count">) =>
  useRead("instances/count", {}, ["runs", query, "count"], {
    query,
    refetchInterval: 15_000,
    placeholderData: (before) => before,
  });

export const refreshRun = (orgId: string, id: string) => refetch(orgId, ["run", id]);

export const runQuery = (orgId: string, id: string) =>
  queryOptions({
    queryKey: organizationKey(orgId, "run", id),
    queryFn: () => get(ONE, { orgId, instanceId: id }),
  });

/**
 * A run, polled until it finishes.
 *
 * @param isStreamed whether the events of the run arrive in a live stream, and invalidate the run
 */
export const useRun = (id: string, isStreamed = false) =>
  useQuery({
    ...runQuery(useOrganizationId(), id),
    refetchInterval: ({ state }) => pollInterval(state.data?.status, isStreamed),
    enabled: id !== "",
  });

const readHistory = (orgId: string, id: string) => readAll(`${ONE}/logs`, { orgId, instanceId: id });

/** The history of a run, oldest first; refetched when the run changes. */
export const runLogQuery = (orgId: string, run: Run | undefined) => {
  const id = run?.workflow_instance_id ?? "";
  return queryOptions({
    queryKey: organizationKey(orgId, "run", id, "log", run?.updated_at),
    queryFn: () => readHistory(orgId, id),
  });
};

export const useRunLog = (run: Run | undefined) =>
  useQuery({
    ...runLogQuery(useOrganizationId(), run),
    enabled: run !== undefined,
    placeholderData: (before) => before,
  });

export const readRunInput = (orgId: string, id: string) => get(`${ONE}/inputs`, { orgId, instanceId: id });

/** The input of a run, which grows when people answer its questions. */
export const useRunInput = (id: string) =>
  useOrganizationQuery(["run", id, "inputs"], (orgId) => readRunInput(orgId, id));

export const readTaskInputs = (orgId: string, id: string, taskId: string) =>
  get(`${ONE}/inputs/{taskId}`, { orgId, instanceId: id, taskId });

/** The inputs of a task that are available so far; refetched when the run changes. */
export const useTaskInputs = (
  { workflow_instance_id: id, updated_at }: Run,
  taskId: string,
  enabled = true,
) =>
  useOrganizationQuery(
    ["run", id, "inputs", taskId, updated_at],
    (orgId) => readTaskInputs(orgId, id, taskId),
    {
      enabled,
      staleTime: Infinity,
      placeholderData: (before, query) => (query?.queryKey[5] === taskId ? before : undefined),
    },
  );

/** The inputs of all tasks, for paper. */
const allTaskInputsQuery = (orgId: string, { workflow_instance_id: id, updated_at }: Run) =>
  queryOptions({
    queryKey: organizationKey(orgId, "run", id, "task-inputs", updated_at),
    queryFn: () => get(`${ONE}/task-inputs`, { orgId, instanceId: id }),
    staleTime: Infinity,
  });

export const useAllTaskInputs = (run: Run, enabled: boolean) =>
  useQuery({
    ...allTaskInputsQuery(useOrganizationId(), run),
    enabled,
    placeholderData: (before) => before,
  }).data?.tasks;

/** The runs from which a rerun reuses results. */
const originsOf = (run: Run) => [...new Set(run.tasks.flatMap((task) => task.reused_from ?? []))];

/** When the runs started from which a rerun reuses results, by ID. */
export function useOriginTimes(run: Run): Map<string, string> {
  const orgId = useOrganizationId();
  const found = useQueries({ queries: originsOf(run).map((id) => runQuery(orgId, id)) });
  return new Map(
    found.flatMap(({ data }) => (data ? [[data.workflow_instance_id, data.created_at] as const] : [])),
  );
}

const readAttempts = (orgId: string, id: string, task?: string) =>
  readAll(`${ONE}/attempts`, { orgId, instanceId: id }, { task }, 50);

/** The attempts of a task or of all tasks, oldest first; refetched when the run changes. */
const attemptsQuery = (orgId: string, { workflow_instance_id: id, updated_at }: Run, taskId?: string) =>
  queryOptions({
    queryKey: organizationKey(orgId, "run", id, "attempts", taskId, updated_at),
    queryFn: () => readAttempts(orgId, id, taskId),
  });

export const useAttempts = (
  run: Run,
  taskId?: string,
  { enabled = true, refetchInterval = false }: { enabled?: boolean; refetchInterval?: number | false } = {},
) =>
  useQuery({
    ...attemptsQuery(useOrganizationId(), run, taskId),
    enabled,
    refetchInterval,
    placeholderData: (before, query) => (query?.queryKey[5] === taskId ? before : undefined),
  });

/** Loads what only paper shows. */
export const loadPrintedRun = (orgId: string, run: Run) =>
  Promise.all([
    queryClient.ensureQueryData(runLogQuery(orgId, run)),
    queryClient.ensureQueryData(allTaskInputsQuery(orgId, run)),
    queryClient.ensureQueryData(attemptsQuery(orgId, run)),
    ...originsOf(run).map((id) => queryClient.ensureQueryData(runQuery(orgId, id))),
  ]);

const readDefinition = async (orgId: string, id: string) =>
  (await get(`${ONE}/definition`, { orgId, instanceId: id })).document;

/** The definition of a run, which never changes. */
export const useRunDefinition = <T>(
  run: Run | undefined,
  select: (document: Awaited<ReturnType<typeof readDefinition>>) => T,
) => {
  const id = run?.workflow_instance_id ?? "";
  // Outside of the run's key, because its events invalidate that.
  return useOrganizationQuery(["run-definition", id], (orgId) => readDefinition(orgId, id), {
    enabled: run !== undefined,
    staleTime: Infinity,
    select,
  });
};

/** Everything about a run. */
export async function readWholeRun(orgId: string, id: string) {
  const [run, input, definition, history, attempts] = await Promise.all([
    get(ONE, { orgId, instanceId: id }),
    readRunInput(orgId, id),
    readDefinition(orgId, id),
    readHistory(orgId, id),
    readAttempts(orgId, id),
  ]);
  return { run, input, definition, history, attempts };
}

/** Starts a run like an earlier one. */
export const startRerun = (orgId: string, id: string, body: Schemas["RerunRequest"]) =>
  post(`${ONE}/rerun`, { orgId, instanceId: id }, body, { query: { wait_seconds: 0 } });

/** Starts a run with the input and the version of an earlier one, from a task or from the beginning. */
export const rerun = (orgId: string, id: string, from_task: string | null = null) =>
  startRerun(orgId, id, { from_task, version: "same", human_msg: null, inputs: {} });

export type RunAction = "cancel" | "terminate" | "pause" | "resume" | "retry";

const useAction = itemChange((orgId, id: string, action: RunAction) =>
  post(`${ONE}/${action}`, { orgId, instanceId: id }),
);

/** Pauses, resumes, retries or ends a run. */
export function useRunAction(id: string, reactions: Reactions<Run, RunAction>) {
  const orgId = useOrganizationId();
  return useAction(id, { onSettled: () => refreshRun(orgId, id), ...reactions });
}

export const cancelRuns = (orgId: string, workflow_instance_ids: string[]) =>
  post("instances/cancel", { orgId }, { workflow_instance_ids });
