import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { fetchAllPages } from "../../api/pagination";
import { asDocument } from "../../graph/document";

const RUNNING_POLL_MS = 1_000;
const PAUSED_POLL_MS = 5_000;

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
        api.GET("/dashboard/api/organizations/{orgId}/instances/{id}", {
          params: { path: { orgId, id } },
        }),
      ),
  });

export function useRun(orgId: string, id: string) {
  return useQuery({
    ...runQuery(orgId, id),
    refetchInterval: ({ state }) => (state.data ? (POLL_INTERVALS[state.data.status] ?? false) : false),
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
          api.GET("/dashboard/api/organizations/{orgId}/instances/{id}/logs", {
            params: { path: { orgId, id }, query: { limit: 100, after } },
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

/** The input of a run, which never changes. */
export function useRunInput(orgId: string, id: string) {
  return useQuery({
    queryKey: ["organization", orgId, "run", id, "inputs"],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/instances/{id}/inputs", {
          params: { path: { orgId, id } },
        }),
      ),
    staleTime: Infinity,
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
        api.GET("/dashboard/api/organizations/{orgId}/instances/{id}/inputs/{taskId}", {
          params: { path: { orgId, id, taskId } },
        }),
      ),
    enabled,
    staleTime: Infinity,
    placeholderData: (before, query) => (query?.queryKey[5] === taskId ? before : undefined),
  });
}

/** The attempts of a task or of all tasks, oldest first; refetched when the run changes. */
export function useAttempts(orgId: string, run: Schemas["WorkflowInstance"], taskId?: string) {
  const id = run.workflow_instance_id;
  return useQuery({
    queryKey: ["organization", orgId, "run", id, "attempts", taskId, run.updated_at],
    queryFn: () =>
      fetchAllPages((after) =>
        unwrap(
          api.GET("/dashboard/api/organizations/{orgId}/instances/{id}/attempts", {
            params: { path: { orgId, id }, query: { task: taskId, limit: 50, after } },
          }),
        ),
      ),
    placeholderData: (before, query) => (query?.queryKey[5] === taskId ? before : undefined),
  });
}

/** The definition of a run, which never changes. */
export function useRunDocument(orgId: string, run: Schemas["WorkflowInstance"] | undefined) {
  const id = run?.workflow_instance_id ?? "";
  return useQuery({
    // Outside of the run's key, because its events invalidate that.
    queryKey: ["organization", orgId, "run-definition", id],
    queryFn: async () => {
      const found = await unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/instances/{id}/definition", {
          params: { path: { orgId, id } },
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

/** The message, the files and the values that started a run, by name. */
export const valuesOf = ({ human_msg, file_urls, values }: Schemas["WorkflowInstanceInputs"]) => ({
  ...(human_msg === null ? {} : { message: human_msg }),
  ...Object.fromEntries(file_urls.map((url, index) => [`file ${index + 1}`, url])),
  ...values,
});

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
