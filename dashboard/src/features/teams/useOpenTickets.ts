import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";

/** The number of open tickets of a team, such as "12" or "10000+"; undefined until it is known. */
export function useOpenTickets(orgId: string, teamId: number): string | undefined {
  const { data } = useQuery({
    queryKey: ["organization", orgId, "tickets", "count", "team", teamId],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/tickets/count", {
          params: {
            path: { orgId },
            query: { assignee: "all", team_id: teamId, status: ["OPEN", "IN_PROGRESS"], test_run: false },
          },
        }),
      ),
  });
  return data && `${data.count}${data.or_more ? "+" : ""}`;
}
