import { Group, SegmentedControl, SimpleGrid, Stack } from "@mantine/core";
import { useState } from "react";
import { useDeliveryAttempts } from "../../api";
import { SectionHeading } from "../../components/variants";
import { Chart } from "../../components/Chart";
import { formatDateTime, formatDuration } from "../../components/Time";
import { optionsOf } from "../../components/optionsOf";
import { chartColumns } from "./attemptColumns";

/** How many attempts succeeded and failed, and how long the receiver took. */
export function AttemptCharts({ endpointId }: { endpointId: string }) {
  const [period, setPeriod] = useState<"day" | "week">("day");
  const { data } = useDeliveryAttempts(endpointId, period);
  if (!data) {
    return null;
  }
  const columns = chartColumns(data, period);
  const times = columns.map(({ at }) => ({
    short: period === "day" ? hour.format(at) : day.format(at),
    long: `From ${formatDateTime(at.toISOString())}`,
  }));
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <SectionHeading>Activity</SectionHeading>
        <SegmentedControl
          size="xs"
          aria-label="Period"
          data={optionsOf({ day: "24 hours", week: "7 days" })}
          value={period}
          onChange={(value) => setPeriod(value as "day" | "week")}
        />
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Chart
          title="Attempts"
          times={times}
          series={[
            { name: "Succeeded", tone: "green", values: columns.map(({ succeeded }) => succeeded) },
            { name: "Failed", tone: "red", values: columns.map(({ failed }) => failed) },
          ]}
          format={(value) => value.toLocaleString()}
        />
        <Chart
          title="Response time"
          lines
          times={times}
          series={[{ name: "Median", tone: "blue", values: columns.map(({ medianMs }) => medianMs) }]}
          format={formatDuration}
          durations
        />
      </SimpleGrid>
    </Stack>
  );
}

const hour = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
