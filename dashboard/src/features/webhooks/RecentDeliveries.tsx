import { Group, Stack, Tooltip } from "@mantine/core";
import { PageLink } from "../../components/PageLink";
import { useRecentDeliveries, type Schemas } from "../../api";
import { DimmedXs } from "../../components/variants";
import { formatDateTime } from "../../components/Time";
import { lastResponse, STATE_OPTIONS } from "./deliveryStates";
import classes from "./recentDeliveries.module.css";

const SHOWN = 50;

/** The latest deliveries of an endpoint as bars, the newest at the right. */
export function RecentDeliveries({ endpointId }: { endpointId: string }) {
  const { data } = useRecentDeliveries(endpointId, SHOWN);
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
      <DimmedXs>
        Last {deliveries.length} deliveries:{" "}
        {counts
          .filter(({ count }) => count > 0)
          .map(({ count, word }) => `${count} ${word}`)
          .join(", ")}
      </DimmedXs>
      {/* For the mouse: the list of deliveries has the same links, with targets of a full size. */}
      <Group gap={2} wrap="nowrap" className={classes.bars} aria-hidden>
        {deliveries.map((each) => (
          <Tooltip key={each.id} label={`${each.type}, ${outcome(each)}, ${formatDateTime(each.created_at)}`}>
            <PageLink
              className={classes.bar}
              data-tone={toneOf(each)}
              tabIndex={-1}
              to={`webhooks/deliveries/${each.id}`}
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
