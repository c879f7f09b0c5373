import { queryClient } from "./queryClient";
import type { Schemas } from "./client";
import {
  itemChange,
  organizationChange,
  organizationKey,
  refetch,
  useOrganizationId,
  usePages,
  useOrganizationQuery,
  type Reactions,
} from "./hooks";
import { get, getTagged, patch, post, remove, type RequestQuery } from "./requests";

const ENDPOINT = "webhook-endpoints/{endpointId}";
const POLL_MS = 10_000;

export const refreshEndpoints = (orgId: string) => refetch(orgId, "webhook-endpoints");

export const readEndpoint = (orgId: string, endpointId: string) => getTagged(ENDPOINT, { orgId, endpointId });

export type Endpoint = Awaited<ReturnType<typeof readEndpoint>>;

/** One endpoint with its entity tag. */
export const useEndpoint = (endpointId: string) =>
  useOrganizationQuery(
    ["webhook-endpoints", "one", endpointId],
    (orgId) => readEndpoint(orgId, endpointId),
    // The success rate changes with each delivery.
    { refetchInterval: POLL_MS, staleTime: 0 },
  );

/** All endpoints; an organization has at most 20. */
export const useEndpoints = () =>
  useOrganizationQuery(
    ["webhook-endpoints", "all"],
    (orgId) => get("webhook-endpoints", { orgId }, { limit: 100 }),
    { refetchInterval: POLL_MS },
  );

export const useCreateEndpoint = organizationChange(
  (
    orgId,
    { url, description, ...body }: { url: string; description: string; event_types: Schemas["EventType"][] },
  ) => post("webhook-endpoints", { orgId }, { ...body, url: url.trim(), description: description.trim() }),
  "webhook-endpoints",
);

export const changeEndpoint = (
  orgId: string,
  endpointId: string,
  etag: string,
  body: Schemas["WebhookEndpointChange"],
) => patch(ENDPOINT, { orgId, endpointId }, body, { etag });

export const usePing = itemChange((orgId, endpointId: string) =>
  post(`${ENDPOINT}/ping`, { orgId, endpointId }),
);

export const useRemoveEndpoint = itemChange(
  (orgId, { id, etag }: Endpoint) => remove(ENDPOINT, { orgId, endpointId: id }, undefined, { etag }),
  "webhook-endpoints",
);

export const useResendFailed = itemChange(
  (orgId, endpointId: string) => post(`${ENDPOINT}/replay-failed`, { orgId, endpointId }),
  "webhook-deliveries",
  "webhook-endpoints",
);

/** How many attempts to deliver succeeded and failed in a period. */
export const useDeliveryAttempts = (endpointId: string, period: "day" | "week") =>
  useOrganizationQuery(
    ["webhook-endpoints", "attempts", endpointId, period],
    (orgId) => get(`${ENDPOINT}/attempts`, { orgId, endpointId }, { period }),
    { refetchInterval: 30_000 },
  );

/** Deliveries of the last 30 days and pending ones. */
export const useDeliveries = (query: RequestQuery<"webhook-deliveries">) =>
  usePages("webhook-deliveries", {}, ["webhook-deliveries", query], {
    query,
    refetchInterval: 5_000,
    idOf: ({ id }) => id,
    keepPrevious: true,
  });

export const useRecentDeliveries = (endpoint: string, limit: number) =>
  useOrganizationQuery(
    ["webhook-deliveries", "recent", endpoint],
    (orgId) => get("webhook-deliveries", { orgId }, { endpoint, limit }),
    { refetchInterval: 10_000 },
  );

export const useDelivery = (deliveryId: string) =>
  useOrganizationQuery(
    ["webhook-deliveries", "one", deliveryId],
    (orgId) => get("webhook-deliveries/{deliveryId}", { orgId, deliveryId }),
    { refetchInterval: ({ state }) => (state.data?.state === "PENDING" ? 500 : 3_000) },
  );

interface Resend extends Pick<Schemas["WebhookDelivery"], "id" | "state"> {
  /** Whether another delivery waits for this one. */
  isEarlier?: boolean;
}

const useReplay = organizationChange(
  (orgId, { id }: Resend) => post("webhook-deliveries/{deliveryId}/replay", { orgId, deliveryId: id }),
  "webhook-deliveries",
  "webhook-endpoints",
);

/** Sends a delivery again, or retries it before its time. */
export const useResend = () =>
  useReplay({
    done: ({ type }, { state, isEarlier }) => {
      const name = `${isEarlier ? "the earlier event " : ""}“${type}”`;
      return state === "RETRYING" ? `Retrying ${name} now.` : `${name} is being sent again.`;
    },
  });

const SECRET = "webhook-secret";

export const useSigningSecret = () =>
  useOrganizationQuery([SECRET], (orgId) => get("webhook-secret", { orgId }), { gcTime: 0 });

const useRotation = organizationChange((orgId) => post("webhook-secret/rotate", { orgId }));

export function useRotateSecret(reactions: Reactions<Schemas["WebhookSecret"], void>) {
  const orgId = useOrganizationId();
  return useRotation({
    ...reactions,
    onSuccess: (...args) => {
      queryClient.setQueryData(organizationKey(orgId, SECRET), args[0]);
      return reactions.onSuccess?.(...args);
    },
  });
}
