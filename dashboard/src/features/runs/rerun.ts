import { api, unwrap, type Schemas } from "../../api/client";

/** Starts a run with the input and the version of an earlier one, from a task or from the beginning. */
export const rerun = (orgId: string, id: string, fromTask: string | null = null) =>
  unwrap(
    api.POST("/dashboard/api/organizations/{orgId}/instances/{id}/rerun", {
      params: { path: { orgId, id }, query: { wait_seconds: 0 } },
      body: { from_task: fromTask, version: "same", human_msg: null, inputs: {} },
    }),
  );

type Failure = Pick<Schemas["WorkflowInstance"], "status" | "error">;

/** Whether a rerun failed at the task at which the earlier run failed, with the same error or another. */
export function failedAgain(run: Failure, earlier: Failure | undefined): "same" | "other" | undefined {
  if (run.status !== "FAILED" || earlier?.status !== "FAILED" || run.error?.task !== earlier.error?.task) {
    return undefined;
  }
  return run.error?.error === earlier.error?.error && run.error?.detail === earlier.error?.detail
    ? "same"
    : "other";
}
