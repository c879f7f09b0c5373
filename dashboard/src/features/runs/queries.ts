import { useQuery } from "@tanstack/react-query";
import { api, ask, type Schemas } from "../../api/client";
import { everyPage } from "../../api/pages";
import { asDocument } from "../../graph/document";

const WHILE_RUNNING = 1_000;
const WHILE_PAUSED = 5_000;

const INTERVALS: Partial<Record<Schemas["InstanceStatus"], number>> = {
  RUNNING: WHILE_RUNNING,
  PAUSED: WHILE_PAUSED,
};

export const isFinished = (status: Schemas["InstanceStatus"]) => INTERVALS[status] === undefined;

/** A run, asked for again as long as it is not at its end. */
export function useRun(orgId: string, id: string) {
  return useQuery({
    queryKey: ["organization", orgId, "run", id],
    queryFn: () =>
      ask(
        api.GET("/dashboard/api/organizations/{orgId}/instances/{id}", {
          params: { path: { orgId, id }, query: { include: "logs" } },
        }),
      ),
    refetchInterval: ({ state }) => (state.data ? (INTERVALS[state.data.status] ?? false) : false),
    enabled: id !== "",
  });
}

/** Everything that happened in a run, oldest first; asked for again when the run has changed. */
export function useRunLog(orgId: string, run: Schemas["WorkflowInstance"] | undefined) {
  const id = run?.workflow_instance_id ?? "";
  return useQuery({
    queryKey: ["organization", orgId, "run", id, "log", run?.updated_at],
    queryFn: () =>
      everyPage((after) =>
        ask(
          api.GET("/dashboard/api/organizations/{orgId}/instances/{id}/logs", {
            params: { path: { orgId, id }, query: { limit: 100, after } },
          }),
        ),
      ),
    enabled: run !== undefined,
    placeholderData: (before) => before,
  });
}

/** What a run was started with; it never changes. */
export function useStartedWith(orgId: string, id: string) {
  return useQuery({
    queryKey: ["organization", orgId, "run", id, "inputs"],
    queryFn: () =>
      ask(
        api.GET("/dashboard/api/organizations/{orgId}/instances/{id}/inputs", {
          params: { path: { orgId, id } },
        }),
      ),
    staleTime: Infinity,
  });
}

/** What a task gets, as far as there is anything yet; asked for again when the run has changed. */
export function useTaskInputs(orgId: string, run: Schemas["WorkflowInstance"], taskId: string) {
  const id = run.workflow_instance_id;
  return useQuery({
    queryKey: ["organization", orgId, "run", id, "inputs", taskId, run.updated_at],
    queryFn: () =>
      ask(
        api.GET("/dashboard/api/organizations/{orgId}/instances/{id}/inputs/{taskId}", {
          params: { path: { orgId, id, taskId } },
        }),
      ),
    staleTime: Infinity,
    placeholderData: (before, query) => (query?.queryKey[5] === taskId ? before : undefined),
  });
}

/** What was done in each attempt of a task, oldest first; asked for again when the run has changed. */
export function useAttempts(orgId: string, run: Schemas["WorkflowInstance"], taskId: string) {
  const id = run.workflow_instance_id;
  return useQuery({
    queryKey: ["organization", orgId, "run", id, "attempts", taskId, run.updated_at],
    queryFn: () =>
      everyPage((after) =>
        ask(
          api.GET("/dashboard/api/organizations/{orgId}/instances/{id}/attempts", {
            params: { path: { orgId, id }, query: { task: taskId, limit: 50, after } },
          }),
        ),
      ),
    placeholderData: (before, query) => (query?.queryKey[5] === taskId ? before : undefined),
  });
}

/** The definition that a run keeps: a published version, or the draft as it is now for a test run. */
export function useRunDocument(orgId: string, run: Schemas["WorkflowInstance"] | undefined) {
  const workflowId = run?.workflow_id ?? "";
  const version = run?.workflow_version ?? 0;
  return useQuery({
    queryKey: ["organization", orgId, "workflow", workflowId, "version", version],
    queryFn: async () => {
      const found =
        version === 0
          ? await ask(
              api.GET("/dashboard/api/organizations/{orgId}/workflows/{workflowId}", {
                params: { path: { orgId, workflowId } },
              }),
            )
          : await ask(
              api.GET("/dashboard/api/organizations/{orgId}/workflows/{workflowId}/versions/{version}", {
                params: { path: { orgId, workflowId, version } },
              }),
            );
      return asDocument(found.document);
    },
    enabled: run !== undefined,
    staleTime: version === 0 ? 0 : Infinity,
  });
}

export interface TaskRecord {
  outputs?: Record<string, unknown>;
  inputTokens: number;
  outputTokens: number;
  costMicros: number;
}

/** What the log tells of each task, from its last entries. */
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
