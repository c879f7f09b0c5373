import { Text } from "@mantine/core";
import type { Schemas } from "../../api";
import { DimmedXs } from "../../components/variants";
import { formatShare } from "../../components/formatNumbers";
import { Time } from "../../components/Time";

type Activity = Schemas["WebhookEndpointActivity"];

/** How the latest deliveries went, such as "97% of the last 100", and how many of them wait. */
export function SuccessRate({ activity }: { activity: Activity }) {
  const { deliveries, delivered, retrying, pending } = activity;
  if (deliveries === 0) {
    return (
      <Text inherit c="dimmed" component="span">
        No deliveries yet
      </Text>
    );
  }
  return (
    <>
      <Text
        inherit
        component="span"
        c={delivered === 0 && pending < deliveries ? "var(--mantine-color-error)" : undefined}
      >
        {deliveries < 10
          ? `${delivered} of ${deliveries}`
          : `${formatShare(delivered, deliveries)} of the last ${deliveries}`}
      </Text>
      {retrying + pending > 0 && (
        <DimmedXs component="span" display="block">
          {[
            { count: pending, word: "pending" },
            { count: retrying, word: "retrying" },
          ]
            .filter(({ count }) => count > 0)
            .map(({ count, word }) => `${count} ${word}`)
            .join(", ")}
        </DimmedXs>
      )}
    </>
  );
}

export function LastFailure({ activity }: { activity: Activity }) {
  return <Time at={activity.last_failed_at} none="None" relative />;
}
