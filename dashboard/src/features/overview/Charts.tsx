import { SimpleGrid } from "@mantine/core";
import type { Schemas } from "../../api/client";
import { Chart, type Series } from "../../parts/Chart";
import { duration } from "../../parts/Time";
import { amount, cost } from "./numbers";

type Numbers = Schemas["UsageNumbers"];

const hour = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const dayAndHour = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
// Days are counted in UTC, so they are called so.
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** The organization's numbers over time. */
export function Charts({ usage }: { usage: Schemas["Usage"] }) {
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
      format: amount,
      series: [
        of("Received", "blue", (each) => each.messages_received),
        of("Sent", "teal", (each) => each.messages_sent),
      ],
    },
    {
      title: "Runs by how they ended",
      format: amount,
      series: [
        of("Completed", "green", (each) => each.runs_completed),
        of("Failed", "red", (each) => each.runs_failed),
        of("Cancelled", "grey", (each) => each.runs_cancelled),
        of("Terminated", "orange", (each) => each.runs_terminated),
      ],
    },
    {
      title: "How long runs took",
      format: duration,
      lines: true,
      series: [
        of("Median", "blue", (each) => each.median_run_millis),
        of("95 of 100 took up to", "orange", (each) => each.p95_run_millis),
      ],
    },
    {
      title: "Tokens",
      format: amount,
      series: [
        of("Read by models", "blue", (each) => each.input_tokens),
        of("Written by models", "orange", (each) => each.output_tokens),
      ],
    },
    ...(usage.total.cost_micros > 0
      ? [
          {
            title: "Cost, in the currency of the price settings",
            format: cost,
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
