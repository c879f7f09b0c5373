import { Group, Stack, Text, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { formatDateTime } from "../../components/Time";
import { lastResponse, STATE_OPTIONS } from "./deliveryStates";
import classes from "./recentDeliveries.module.css";

const SHOWN = 50;

/** The latest deliveries of an endpoint as bars, the newest at the right. */
export function RecentDeliveries({ orgId, endpointId }: { orgId: string; endpointId: string }) {
  const { data } = useQuery({
    queryKey: ["organization", orgId, "webhook-deliveries", "recent", endpointId],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/webhook-deliveries", {
          params: { path: { orgId }, query: { endpoint: endpointId, limit: SHOWN } },
        }),
      ),
    refetchInterval: 10_000,
  });
  const deliveries = data?.items.toReversed() ?? [];
  if (deliveries.length < 2) {
    return null;
  }
  const counts = STATE_OPTIONS.map(({ value, label }) => ({
    word: label.toLowerCase(),
    count: deliveries.filter(({ state }) => state === value).length,
  }));
  return (
    <Stack gap={6}>
      <Text size="xs" c="dimmed">
        Last {deliveries.length} deliveries:{" "}
        {counts
          .filter(({ count }) => count > 0)
          .map(({ count, word }) => `${count} ${word}`)
          .join(", ")}
      </Text>
      {/* For the mouse: the list of deliveries has the same links, with targets of a full size. */}
      <Group gap={2} wrap="nowrap" className={classes.bars} aria-hidden>
        {deliveries.map((each) => (
          <Tooltip key={each.id} label={`${each.type}, ${outcome(each)}, ${formatDateTime(each.created_at)}`}>
            <Link
              className={classes.bar}
              data-tone={toneOf(each)}
              tabIndex={-1}
              to={`/organizations/${orgId}/webhooks/deliveries/${each.id}`}
            />
          </Tooltip>
        ))}
      </Group>
    </Stack>
  );
}

function toneOf({ state }: Schemas["WebhookDelivery"]): "good" | "bad" | "waiting" | "cancelled" {
  switch (state) {
    case "DELIVERED":
      return "good";
    case "FAILED":
    case "RETRYING":
      return "bad";
    case "PENDING":
      return "waiting";
    case "CANCELLED":
      return "cancelled";
  }
}

function outcome(delivery: Schemas["WebhookDelivery"]): string {
  const { state } = delivery;
  const label = state.charAt(0) + state.slice(1).toLowerCase();
  const response = lastResponse(delivery);
  return response === null ? label : `${label}, ${response}`;
}
