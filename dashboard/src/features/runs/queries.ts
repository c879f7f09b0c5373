import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { fetchAllPages } from "../../api/pagination";
import { asDocument } from "../../graph/document";
import { queryClient } from "../../queryClient";

const RUNNING_POLL_MS = 1_000;
const PAUSED_POLL_MS = 5_000;

/** A live stream reports the run's status and tickets, but not which task runs or ends, also while the run is paused. */
const STREAMED_POLL_MS = 5_000;

const POLL_INTERVALS: Partial<Record<Schemas["InstanceStatus"], number>> = {
  RUNNING: RUNNING_POLL_MS,
  PAUSED: PAUSED_POLL_MS,
};

export const isFinished = (status: Schemas["InstanceStatus"]) => POLL_INTERVALS[status] === undefined;

/** A run, polled until it finishes. */
export const runQuery = (orgId: string, id: string) =>
  queryOptions({
    queryKey: ["organization", orgId, "run", id],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/instances/{instanceId}", {
          params: { path: { orgId, instanceId: id } },
        }),
      ),
  });

export const pollInterval = (status: Schemas["InstanceStatus"] | undefined, isStreamed: boolean) => {
  const interval = status && POLL_INTERVALS[status];
  return interval && isStreamed ? STREAMED_POLL_MS : (interval ?? false);
};

/** @param isStreamed whether the events of the run arrive in a live stream, and invalidate the run */
export function useRun(orgId: string, id: string, isStreamed = false) {
  return useQuery({
    ...runQuery(orgId, id),
    refetchInterval: ({ state }) => pollInterval(state.data?.status, isStreamed),
    enabled: id !== "",
  });
}

/** The history of a run, oldest first; refetched when the run changes. */
export const runLogQuery = (orgId: string, run: Schemas["WorkflowInstance"] | undefined) => {
  const id = run?.workflow_instance_id ?? "";
  return queryOptions({
    queryKey: ["organization", orgId, "run", id, "log", run?.updated_at],
    queryFn: () =>
      fetchAllPages((after) =>
        unwrap(
          api.GET("/dashboard/api/organizations/{orgId}/instances/{instanceId}/logs", {
            params: { path: { orgId, instanceId: id }, query: { limit: 100, after } },
          }),
        ),
      ),
  });
};

export function useRunLog(orgId: string, run: Schemas["WorkflowInstance"] | undefined) {
  return useQuery({
    ...runLogQuery(orgId, run),
    enabled: run !== undefined,
    placeholderData: (before) => before,
  });
}

/** The input of a run, which grows when people answer its questions. */
export function useRunInput(orgId: string, id: string) {
  return useQuery({
    queryKey: ["organization", orgId, "run", id, "inputs"],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/instances/{instanceId}/inputs", {
          params: { path: { orgId, instanceId: id } },
        }),
      ),
  });
}

/** The version that the agent of a run would run now; null if it is not published. */
export function usePublishedVersion(orgId: string, workflowId: string) {
  return useQuery({
    queryKey: ["organization", orgId, "workflow", workflowId, "published-version"],
    queryFn: async () => {
      const found = await unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/workflows/{workflowId}", {
          params: { path: { orgId, workflowId } },
        }),
      );
      return found.published_version;
    },
  });
}

/** The inputs of a task that are available so far; refetched when the run changes. */
export function useTaskInputs(
  orgId: string,
  run: Schemas["WorkflowInstance"],
  taskId: string,
  enabled = true,
) {
  const id = run.workflow_instance_id;
  return useQuery({
    queryKey: ["organization", orgId, "run", id, "inputs", taskId, run.updated_at],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/instances/{instanceId}/inputs/{taskId}", {
          params: { path: { orgId, instanceId: id, taskId } },
        }),
      ),
    enabled,
    staleTime: Infinity,
    placeholderData: (before, query) => (query?.queryKey[5] === taskId ? before : undefined),
  });
}

/** The inputs of all tasks, for paper. */
const allTaskInputsQuery = (orgId: string, run: Schemas["WorkflowInstance"]) => {
  const id = run.workflow_instance_id;
  return queryOptions({
    queryKey: ["organization", orgId, "run", id, "task-inputs", run.updated_at],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/instances/{instanceId}/task-inputs", {
          params: { path: { orgId, instanceId: id } },
        }),
      ),
    staleTime: Infinity,
  });
};

export function useAllTaskInputs(orgId: string, run: Schemas["WorkflowInstance"], enabled: boolean) {
  return useQuery({
    ...allTaskInputsQuery(orgId, run),
    enabled,
    placeholderData: (before) => before,
  }).data?.tasks;
}

/** The runs from which a rerun reuses results. */
const originsOf = (run: Schemas["WorkflowInstance"]) => [
  ...new Set(run.tasks.flatMap((task) => task.reused_from ?? [])),
];

/** When the runs started from which a rerun reuses results, by ID. */
export function useOriginTimes(orgId: string, run: Schemas["WorkflowInstance"]): Map<string, string> {
  const found = useQueries({ queries: originsOf(run).map((id) => runQuery(orgId, id)) });
  return new Map(
    found.flatMap(({ data }) => (data ? [[data.workflow_instance_id, data.created_at] as const] : [])),
  );
}

/** The attempts of a task or of all tasks, oldest first; refetched when the run changes. */
const attemptsQuery = (orgId: string, run: Schemas["WorkflowInstance"], taskId?: string) => {
  const id = run.workflow_instance_id;
  return queryOptions({
    queryKey: ["organization", orgId, "run", id, "attempts", taskId, run.updated_at],
    queryFn: () =>
      fetchAllPages((after) =>
        unwrap(
          api.GET("/dashboard/api/organizations/{orgId}/instances/{instanceId}/attempts", {
            params: { path: { orgId, instanceId: id }, query: { task: taskId, limit: 50, after } },
          }),
        ),
      ),
  });
};

export function useAttempts(
  orgId: string,
  run: Schemas["WorkflowInstance"],
  taskId?: string,
  enabled = true,
) {
  return useQuery({
    ...attemptsQuery(orgId, run, taskId),
    enabled,
    placeholderData: (before, query) => (query?.queryKey[5] === taskId ? before : undefined),
  });
}

/** The models that a task used, each once. */
export const modelsOf = (attempts: readonly Schemas["TaskAttempt"][], taskId: string): string[] => [
  ...new Set(attempts.flatMap(({ task, model }) => (task === taskId && model ? [model] : []))),
];

/** Loads what only paper shows. */
export const loadPrintedRun = (orgId: string, run: Schemas["WorkflowInstance"]) =>
  Promise.all([
    queryClient.ensureQueryData(runLogQuery(orgId, run)),
    queryClient.ensureQueryData(allTaskInputsQuery(orgId, run)),
    queryClient.ensureQueryData(attemptsQuery(orgId, run)),
    ...originsOf(run).map((id) => queryClient.ensureQueryData(runQuery(orgId, id))),
  ]);

/** The definition of a run, which never changes. */
export function useRunDocument(orgId: string, run: Schemas["WorkflowInstance"] | undefined) {
  const id = run?.workflow_instance_id ?? "";
  return useQuery({
    // Outside of the run's key, because its events invalidate that.
    queryKey: ["organization", orgId, "run-definition", id],
    queryFn: async () => {
      const found = await unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/instances/{instanceId}/definition", {
          params: { path: { orgId, instanceId: id } },
        }),
      );
      return asDocument(found.document);
    },
    enabled: run !== undefined,
    staleTime: Infinity,
  });
}

/** The milliseconds between two times; null if one is missing. */
export const durationOf = (from: string | null, to: string | null) =>
  from && to ? Date.parse(to) - Date.parse(from) : null;

type RunInputs = Schemas["WorkflowInstanceInputs"];

/** The message, the files and the values of a run by name, without the value that repeats the message. */
export const valuesOf = (inputs: RunInputs) => ({
  ...(inputs.human_msg === null ? {} : { message: inputs.human_msg }),
  ...Object.fromEntries(inputs.file_urls.map((url, index) => [`file ${index + 1}`, url])),
  ...Object.fromEntries(
    Object.entries(inputs.used_values).filter(([name]) => !isFilledByMessage(inputs, name)),
  ),
  ...inputs.values,
});

/** Whether the message of a run is also the value of an input. */
export const isFilledByMessage = ({ human_msg, values, used_values }: RunInputs, name: string) =>
  human_msg !== null && !(name in values) && used_values[name] === human_msg;

export interface TaskRecord {
  outputs?: Record<string, unknown>;
  inputTokens: number;
  outputTokens: number;
  costMicros: number;
}

/** The latest outputs and usage of each task in the log. */
export function recordsOf(log: Schemas["WorkflowInstanceLog"][]): Map<string, TaskRecord> {
  const records = new Map<string, TaskRecord>();
  for (const entry of log) {
    for (const change of entry.tasks ?? []) {
      const before = records.get(change.task);
      records.set(change.task, {
        outputs: change.outputs ?? before?.outputs,
        inputTokens: change.input_tokens ?? before?.inputTokens ?? 0,
        outputTokens: change.output_tokens ?? before?.outputTokens ?? 0,
        costMicros: change.cost_micros ?? before?.costMicros ?? 0,
      });
    }
  }
  return records;
}
