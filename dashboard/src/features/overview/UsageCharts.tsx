import { SimpleGrid } from "@mantine/core";
import type { Schemas } from "../../api/client";
import { Chart, type Series } from "../../components/Chart";
import { formatDuration } from "../../components/Time";
import { formatCount, formatCost } from "../../components/formatNumbers";

type Numbers = Schemas["UsageNumbers"];

const hour = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const dayAndHour = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
// The server aggregates days in UTC.
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** Charts of the organization's usage over time. */
export function UsageCharts({ usage }: { usage: Schemas["Usage"] }) {
  const hourly = usage.step === "hour";
  const times = usage.series.map(({ from }) => {
    const at = new Date(from);
    return hourly
      ? { short: hour.format(at), long: dayAndHour.format(at) }
      : { short: day.format(at), long: `${day.format(at)} (UTC)` };
  });
  const of = (name: string, tone: Series["tone"], read: (numbers: Numbers) => number | null): Series => ({
    name,
    tone,
    values: usage.series.map((each) => read(each.numbers)),
  });
  const charts = [
    {
      title: "Messages",
      format: formatCount,
      series: [
        of("Received", "blue", (each) => each.messages_received),
        of("Sent", "teal", (each) => each.messages_sent),
      ],
    },
    {
      title: "Runs by outcome",
      format: formatCount,
      series: [
        of("Completed", "green", (each) => each.runs_completed),
        of("Failed", "red", (each) => each.runs_failed),
        of("Cancelled", "grey", (each) => each.runs_cancelled),
        of("Terminated", "orange", (each) => each.runs_terminated),
      ],
    },
    {
      title: "Run duration",
      format: formatDuration,
      lines: true,
      series: [
        of("Median", "blue", (each) => each.median_run_millis),
        of("p95", "orange", (each) => each.p95_run_millis),
      ],
    },
    {
      title: "Tokens",
      format: formatCount,
      series: [
        of("Input tokens", "blue", (each) => each.input_tokens),
        of("Output tokens", "orange", (each) => each.output_tokens),
      ],
    },
    ...(usage.total.cost_micros > 0
      ? [
          {
            title: "Model cost",
            format: formatCost,
            series: [of("Cost", "teal", (each) => each.cost_micros)],
          },
        ]
      : []),
  ];
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      {charts.map((chart) => (
        <Chart key={chart.title} times={times} {...chart} />
      ))}
    </SimpleGrid>
  );
}
