import { Text } from "@mantine/core";
import type { Schemas } from "../../api/client";
import { formatShare } from "../../components/formatNumbers";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";

type Activity = Schemas["WebhookEndpointActivity"];

/** How the latest deliveries went, such as "97 of the last 100 delivered". */
export function SuccessRate({ activity }: { activity: Activity }) {
  const { deliveries, delivered, retrying } = activity;
  if (deliveries === 0) {
    return (
      <Text inherit c="dimmed" component="span">
        No deliveries yet
      </Text>
    );
  }
  return (
    <>
      <Text inherit component="span" c={delivered === 0 ? "var(--mantine-color-error)" : undefined}>
        {deliveries < 10
          ? `${delivered} of ${deliveries}`
          : `${formatShare(delivered, deliveries)} of the last ${deliveries}`}
      </Text>{" "}
      {retrying > 0 && <StatusLabel status="RETRYING" />}
    </>
  );
}

export function LastFailure({ activity }: { activity: Activity }) {
  return <Time at={activity.last_failed_at} none="None" relative />;
}
