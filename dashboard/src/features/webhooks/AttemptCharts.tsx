import { Group, SegmentedControl, SimpleGrid, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client";
import { Chart } from "../../components/Chart";
import { formatDateTime, formatDuration } from "../../components/Time";
import { chartColumns } from "./attemptColumns";
import { ENDPOINT } from "./endpointQueries";

/** How many attempts succeeded and failed, and how long the receiver took. */
export function AttemptCharts({ orgId, endpointId }: { orgId: string; endpointId: string }) {
  const [period, setPeriod] = useState<"day" | "week">("day");
  const { data } = useQuery({
    queryKey: ["organization", orgId, "webhook-endpoints", "attempts", endpointId, period],
    queryFn: () =>
      unwrap(api.GET(`${ENDPOINT}/attempts`, { params: { path: { orgId, endpointId }, query: { period } } })),
    refetchInterval: 30_000,
  });
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
        <Title order={2} size="h4">
          Activity
        </Title>
        <SegmentedControl
          size="xs"
          aria-label="Period"
          data={[
            { value: "day", label: "24 hours" },
            { value: "week", label: "7 days" },
          ]}
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
