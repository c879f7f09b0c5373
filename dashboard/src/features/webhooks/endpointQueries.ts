import { useQuery } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { unwrapTagged } from "../../api/conflict";
import { queryClient } from "../../queryClient";

export const ENDPOINT = "/dashboard/api/organizations/{orgId}/webhook-endpoints/{endpointId}";

const POLL_MS = 10_000;

export const readEndpoint = (orgId: string, endpointId: string) =>
  unwrapTagged(api.GET(ENDPOINT, { params: { path: { orgId, endpointId } } }));

export type Endpoint = Awaited<ReturnType<typeof readEndpoint>>;

/** One endpoint with its entity tag. */
export const useEndpoint = (orgId: string, endpointId: string) =>
  useQuery({
    queryKey: ["organization", orgId, "webhook-endpoints", "one", endpointId],
    queryFn: () => readEndpoint(orgId, endpointId),
    refetchInterval: POLL_MS,
    // The success rate changes with each delivery.
    staleTime: 0,
  });

/** All endpoints; an organization has at most 20. */
export const useEndpoints = (orgId: string) =>
  useQuery({
    queryKey: ["organization", orgId, "webhook-endpoints", "all"],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/webhook-endpoints", {
          params: { path: { orgId }, query: { limit: 100 } },
        }),
      ),
    refetchInterval: POLL_MS,
  });

/** Whether it refuses deliveries, or was disabled for that. */
export function isFailing({
  enabled,
  disabled_reason,
  activity,
}: Schemas["WebhookEndpointDetails"]): boolean {
  const { delivered, retrying, last_failed_at } = activity;
  return enabled ? retrying > 0 || (delivered === 0 && last_failed_at !== null) : disabled_reason !== null;
}

export const refreshEndpoints = (orgId: string) =>
  queryClient.invalidateQueries({ queryKey: ["organization", orgId, "webhook-endpoints"] });
