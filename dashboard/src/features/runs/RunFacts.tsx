import { Badge, Group, Table, VisuallyHidden } from "@mantine/core";
import { TextLink } from "../../components/PageLink";
import type { Schemas } from "../../api";
import { useActorName } from "../../components/actorNames";
import { Dimmed } from "../../components/variants";
import { StatusLabel } from "../../components/StatusLabel";
import { formatCost, formatCount } from "../../components/formatNumbers";
import { formatDuration, shownDuration, Time } from "../../components/Time";
import classes from "./compare.module.css";
import { durationOf, type TaskRecord } from "./queries";
import { SIDES, type Pair } from "./ValueComparison";

type Run = Schemas["WorkflowInstance"];

interface Props {
  runs: Pair<Run>;
  records: Pair<Map<string, TaskRecord>>;
  /** Hides equal facts. */
  changedOnly: boolean;
}

export const versionText = (version: number) => (version === 0 ? "Draft" : `Version ${version}`);

/** Versions, durations, tokens and cost of two runs, and the differences of the numbers. */
export function RunFacts({ runs, records, changedOnly }: Props) {
  const nameOf = useActorName();
  const totals = records.map((record) => totalOf([...record.values()]));
  const durations = runs.map((run) => {
    const took = durationOf(run.created_at, run.finished_at);
    return took === null ? null : shownDuration(took);
  });
  const numbers = [
    { label: "Duration", values: durations, format: formatDuration },
    { label: "Input tokens", values: totals.map((each) => each.inputTokens), format: formatCount },
    { label: "Output tokens", values: totals.map((each) => each.outputTokens), format: formatCount },
    { label: "Cost", values: totals.map((each) => each.costMicros), format: formatCost },
  ].filter(({ values }) => values.some((value) => value));
  const facts = [
    {
      label: "Status",
      difference: equality(runs, (run) => run.status),
      shown: runs.map((run) => <StatusLabel key="status" status={run.status} />),
    },
    {
      label: "Agent",
      difference: equality(runs, (run) => run.workflow_id),
      shown: runs.map((run) => nameOf(`agent:${run.workflow_id}`)),
    },
    {
      label: "Version",
      difference: equality(runs, (run) => run.workflow_version),
      shown: runs.map((run) => versionText(run.workflow_version)),
    },
    {
      label: "Started by",
      difference: equality(runs, (run) => run.created_by),
      shown: runs.map((run) => nameOf(run.created_by)),
    },
    ...numbers.map(({ label, values, format }) => ({
      label,
      difference: difference(values[0], values[1], format),
      shown: values.map((value) => (value === null || value === undefined ? "–" : format(value))),
    })),
  ];
  return (
    <Table.ScrollContainer minWidth={560} className={classes.facts}>
      <Table data-grid layout="fixed" verticalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={130}>
              <VisuallyHidden>Fact</VisuallyHidden>
            </Table.Th>
            {runs.map((run, index) => (
              <Table.Th key={run.workflow_instance_id}>
                <Group gap={8}>
                  <Badge variant="light" color={index === 1 ? "indigo" : "gray"} tt="none">
                    {SIDES[index] === "newer" ? "Newer" : "Older"}
                  </Badge>
                  <TextLink to={`runs/${run.workflow_instance_id}`}>
                    <Time at={run.created_at} seconds />
                  </TextLink>
                </Group>
              </Table.Th>
            ))}
            <Table.Th w={130}>Difference</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {facts
            .filter((fact) => !changedOnly || fact.difference !== SAME)
            .map(({ label, difference: differs, shown }) => (
              <Fact key={label} label={label} difference={differs}>
                {shown}
              </Fact>
            ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const SAME = "same";

const equality = (runs: Pair<Run>, read: (run: Run) => unknown) =>
  read(runs[0]) === read(runs[1]) ? SAME : "differs";

interface FactProps {
  label: string;
  difference?: string;
  children: React.ReactNode[];
}

function Fact({ label, difference: differs, children }: FactProps) {
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Dimmed>{label}</Dimmed>
      </Table.Th>
      {SIDES.map((side, index) => (
        <Table.Td key={side}>{children[index]}</Table.Td>
      ))}
      <Table.Td>{differs}</Table.Td>
    </Table.Tr>
  );
}

type Number = number | null | undefined;

/** Formats the change from the older to the newer run, such as "+1.2 s (+40%)". What rounds to nothing is left out. */
export function difference(older: Number, newer: Number, format: (value: number) => string): string {
  if (typeof older !== "number" || typeof newer !== "number") {
    return "–";
  }
  const change = newer - older;
  if (format(older) === format(newer)) {
    return SAME;
  }
  const sign = change > 0 ? "+" : "−";
  const amount = format(Math.abs(change));
  const percent = older > 0 ? Math.round((Math.abs(change) / older) * 100) : 0;
  if (percent === 0) {
    return sign + amount;
  }
  return amount === format(0) ? `${sign}${percent}%` : `${sign}${amount} (${sign}${percent}%)`;
}

/** The sum over the tasks of a run. */
export function totalOf(records: TaskRecord[]) {
  const sum = (read: (record: TaskRecord) => number) =>
    records.reduce((total, record) => total + read(record), 0);
  return {
    inputTokens: sum((each) => each.inputTokens),
    outputTokens: sum((each) => each.outputTokens),
    costMicros: sum((each) => each.costMicros),
  };
}
