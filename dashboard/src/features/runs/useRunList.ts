import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { usePagedQuery } from "../../api/pagination";
import { filterQuery, type RunFilters } from "./runFilters";

const REFRESH_MS = 5_000;

/** The runs with these filters, newest first, and the query that lists them; the first page is polled. */
export function useRunList(orgId: string, filters: RunFilters, { poll }: { poll: boolean }) {
  // A fixed time keeps the cursors of the list valid.
  const [opened] = useState(Date.now);
  const query = filterQuery(filters, opened);
  const key = ["organization", orgId, "runs", query];
  const pages = usePagedQuery<Schemas["WorkflowInstanceSummary"]>(
    key,
    (after) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/instances", {
          params: { path: { orgId }, query: { ...query, limit: 100, after } },
        }),
      ),
    {
      idOf: (run) => run.workflow_instance_id,
      refetchInterval: poll ? REFRESH_MS : undefined,
      keepPrevious: true,
    },
  );
  return { pages, query, key };
}
