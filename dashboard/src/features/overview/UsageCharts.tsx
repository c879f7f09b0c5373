import { SimpleGrid } from "@mantine/core";
import { type Schemas } from "../../api";
import { Chart, type Series } from "../../components/Chart";
import { useGoTo } from "../../components/PageLink";
import { formatDuration } from "../../components/Time";
import { formatCount, formatCost } from "../../components/formatNumbers";
import classes from "./overview.module.css";

type Numbers = Schemas["UsageNumbers"];

const hour = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const dayAndHour = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

const HOUR_MILLIS = 3_600_000;

/** The local time for the URL of the runs, to the minute. */
function localMinute(millis: number): string {
  return new Date(millis - new Date(millis).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Charts of the organization's usage over time. Columns of runs open these runs. */
export function UsageCharts({ usage }: { usage: Schemas["Usage"] }) {
  const goTo = useGoTo();
  const hourly = usage.step === "hour";
  const openRuns = (index: number) => {
    const from = Date.parse(usage.series[index]!.from);
    const next = usage.series[index + 1]?.from;
    const to = next ? Date.parse(next) : from + (hourly ? 1 : 24) * HOUR_MILLIS;
    const span = `from=${localMinute(from)}&to=${localMinute(to)}`;
    void goTo(`runs?${span}&test_run=false`);
  };
  const times = usage.series.map(({ from }) => {
    const at = new Date(from);
    const short = (hourly ? hour : day).format(at);
    return { short, long: hourly ? dayAndHour.format(at) : short };
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
      onOpen: openRuns,
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
      onOpen: openRuns,
      hint: "Includes waiting for people",
      format: formatDuration,
      durations: true,
      lines: true,
      series: [
        of("Median", "blue", (each) => each.median_run_millis),
        of("p95", "orange", (each) => each.p95_run_millis),
      ],
    },
    {
      title: "Tokens",
      onOpen: openRuns,
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
            onOpen: openRuns,
            format: formatCost,
            series: [of("Cost", "teal", (each) => each.cost_micros)],
          },
        ]
      : []),
  ];
  return (
    <SimpleGrid className={classes.charts} cols={{ base: 1, lg: 2 }} spacing="md">
      {charts.map((chart) => (
        <Chart key={chart.title} times={times} {...chart} />
      ))}
    </SimpleGrid>
  );
}
