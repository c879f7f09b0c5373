import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";

export const DRAFT = "draft";

/** The definition of a version or of the saved draft. */
export function useVersionDocument(orgId: string, workflowId: string, version: string, enabled = true) {
  const params = { path: { orgId, workflowId } };
  return useQuery({
    queryKey: ["organization", orgId, "workflow", workflowId, "document", version],
    queryFn: async (): Promise<Record<string, unknown>> => {
      const found =
        version === DRAFT
          ? await unwrap(api.GET("/dashboard/api/organizations/{orgId}/workflows/{workflowId}", { params }))
          : await unwrap(
              api.GET("/dashboard/api/organizations/{orgId}/workflows/{workflowId}/versions/{version}", {
                params: { path: { ...params.path, version: Number(version) } },
              }),
            );
      return found.document;
    },
    enabled,
    staleTime: version === DRAFT ? 0 : Infinity,
  });
}
