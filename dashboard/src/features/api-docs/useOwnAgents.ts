import { useQuery } from "@tanstack/react-query";
import createClient from "openapi-fetch";
import type { paths } from "../../api/schema";

/** Unlike the dashboard's client, it does not ask for a password when nobody is signed in. */
const client = createClient<paths>({ credentials: "same-origin" });

/** The published agents of a signed-in reader; empty for others. */
export function useOwnAgents(orgId: string | null): { id: string; name: string }[] {
  const { data = [] } = useQuery({
    queryKey: ["api-docs", "agents", orgId],
    queryFn: async () => {
      const { data: page } = await client.GET("/dashboard/api/organizations/{orgId}/workflows", {
        params: { path: { orgId: orgId ?? "" }, query: { limit: 100 } },
      });
      return (page?.items ?? []).filter(({ published_version }) => published_version);
    },
    enabled: orgId !== null,
    retry: false,
  });
  return data;
}
