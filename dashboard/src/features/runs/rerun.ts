import { api, unwrap } from "../../api/client";

/** Starts a run with the input and the version of an earlier one, from a task or from the beginning. */
export const rerun = (orgId: string, id: string, fromTask: string | null = null) =>
  unwrap(
    api.POST("/dashboard/api/organizations/{orgId}/instances/{id}/rerun", {
      params: { path: { orgId, id }, query: { wait_seconds: 0 } },
      body: { from_task: fromTask, version: "same", human_msg: null, inputs: {} },
    }),
  );
