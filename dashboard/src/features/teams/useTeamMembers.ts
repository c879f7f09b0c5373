import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";
import { fetchAllPages } from "../../api/pagination";

export const useTeamMembers = (orgId: string, teamId: number) =>
  useQuery({
    queryKey: ["organization", orgId, "teams", teamId, "members"],
    queryFn: () =>
      fetchAllPages((after) =>
        unwrap(
          api.GET("/dashboard/api/organizations/{orgId}/teams/{teamId}/members", {
            params: { path: { orgId, teamId }, query: { limit: 100, after } },
          }),
        ),
      ),
  });
