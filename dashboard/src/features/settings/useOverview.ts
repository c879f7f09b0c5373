import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";

/** The limits of the organization, and whether a model is connected. */
export function useOverview(orgId: string) {
  const { data } = useQuery({
    queryKey: ["organization", orgId, "overview", "settings"],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/overview", {
          params: { path: { orgId }, query: { hours: 24 } },
        }),
      ),
  });
  return data;
}
