import { Anchor, Card, Group, Stack, Text, Title } from "@mantine/core";
import { PageLink } from "../../components/PageLink";
import { useTaskInputs, type Schemas } from "../../api";
import { CardHeading, Dimmed, DimmedXs } from "../../components/variants";
import { formatCost, formatCount } from "../../components/formatNumbers";
import { formatDuration } from "../../components/Time";
import { counted } from "../../components/counted";
import { shownStatus } from "../../graph/shownStatus";
import { TaskStatusLabel } from "../../graph/TaskStatusLabel";
import classes from "./compare.module.css";
import { promptPairs } from "./promptPairs";
import { durationOf, type TaskRecord } from "./queries";
import { isChanged, SideLabel, SIDES, ValueComparison, ValueComparisons, type Pair } from "./ValueComparison";

type Attempt = Schemas["TaskAttempt"];
type Task = Schemas["TaskInstance"] | undefined;

interface Props {
  id: string;
  runs: Pair<Schemas["WorkflowInstance"]>;
  tasks: Pair<Task>;
  records: Pair<TaskRecord | undefined>;
  /** The last attempts, with their prompts. */
  attempts: Pair<Attempt | undefined>;
  changedOnly: boolean;
}

/** A task of two runs: status, duration, tokens, cost, inputs, prompts and outputs. */
export function TaskComparison({ id, runs, tasks, records, attempts, changedOnly }: Props) {
  const inputs = [
    useTaskInputs(runs[0], id, tasks[0] !== undefined).data?.values ?? {},
    useTaskInputs(runs[1], id, tasks[1] !== undefined).data?.values ?? {},
  ] as const;
  const outputs = [records[0]?.outputs ?? {}, records[1]?.outputs ?? {}] as const;
  const errors = [errorOf(tasks[0]), errorOf(tasks[1])] as const;
  const prompts = promptPairs(attempts[0]?.messages ?? [], attempts[1]?.messages ?? []);
  // A run that reuses the result of a task has no prompts and no errors of its own.
  const reused = tasks.some((task) => task?.reused);
  const changes = [
    !reused && isChanged(inputs[0], inputs[1]) && "inputs",
    !reused && isChanged(prompts[0], prompts[1]) && "prompts",
    isChanged(outputs[0], outputs[1]) && "outputs",
    !reused && isChanged(errors[0], errors[1]) && "errors",
    !reused && statusOf(tasks[0]) !== statusOf(tasks[1]) && "statuses",
  ].filter((each) => each !== false);
  if (changedOnly && changes.length === 0) {
    return null;
  }
  const inBoth = tasks[0] !== undefined && tasks[1] !== undefined;
  return (
    <Card withBorder component="section" aria-labelledby={`task-${id}`}>
      <Group gap="sm" mb="sm">
        <CardHeading id={`task-${id}`}>{tasks[1]?.name ?? tasks[0]?.name}</CardHeading>
        <Text size="sm" c={changes.length > 0 ? undefined : "dimmed"}>
          {inBoth ? summary(changes, reused) : onlyIn(tasks)}
        </Text>
      </Group>
      <Stack gap="md">
        <div className={classes.pair}>
          {SIDES.map((side, index) => (
            <div key={side}>
              <SideLabel side={side} />
              <TaskFacts task={tasks[index]} record={records[index]} />
              {tasks[index] && (
                <Anchor
                  component={PageLink}
                  size="xs"
                  to={`runs/${runs[index]!.workflow_instance_id}?task=${id}`}
                >
                  Open in the {side} run
                </Anchor>
              )}
            </div>
          ))}
        </div>
        {inBoth &&
          !reused &&
          (errors[0] ?? errors[1]) &&
          (!changedOnly || isChanged(errors[0], errors[1])) && (
            <ValueComparison name="Error" values={errors} />
          )}
        {inBoth && <Section title="Outputs" values={outputs} changedOnly={changedOnly} />}
        {inBoth && !reused && <Section title="Inputs" values={inputs} changedOnly={changedOnly} />}
        {inBoth && !reused && attempts.some((attempt) => attempt && attempt.messages.length > 0) && (
          <Section title="Prompts" values={prompts} changedOnly={changedOnly} />
        )}
      </Stack>
    </Card>
  );
}

function Section({
  title,
  values,
  changedOnly,
}: {
  title: string;
  values: Pair<Record<string, unknown>>;
  changedOnly: boolean;
}) {
  if (changedOnly && !isChanged(values[0], values[1])) {
    return null;
  }
  return (
    <div>
      <Title order={3} size="h6" mb={6}>
        {title}
      </Title>
      <ValueComparisons values={values} changedOnly={changedOnly} />
    </div>
  );
}

function TaskFacts({ task, record }: { task: Task; record: TaskRecord | undefined }) {
  if (!task) {
    return <Dimmed>This run has no such task.</Dimmed>;
  }
  const took = durationOf(task.started_at, task.finished_at);
  const tokens = (record?.inputTokens ?? 0) + (record?.outputTokens ?? 0);
  const facts = !task.reused && [
    took !== null && formatDuration(took),
    `${counted(task.attempts, "attempt")}`,
    tokens > 0 && `${formatCount(tokens)} tokens`,
    record && record.costMicros > 0 && `cost ${formatCost(record.costMicros)}`,
  ];
  return (
    <Group gap={8}>
      <TaskStatusLabel task={task} />
      {facts && <DimmedXs>{facts.filter(Boolean).join(" · ")}</DimmedXs>}
    </Group>
  );
}

const onlyIn = ([older]: Pair<Task>) => (older ? "Only in the older run" : "Only in the newer run");

const errorOf = (task: Task) => (task?.error ? `${task.error.error}: ${task.error.detail}` : undefined);

const statusOf = (task: Task) => task && shownStatus(task);

function summary(changes: string[], reused: boolean): string {
  if (reused) {
    return changes.length > 0 ? "Reused, outputs differ" : "Reused, same result";
  }
  return changes.length > 0 ? `${listed(changes)} differ` : "no differences";
}

/** Formats ["inputs", "outputs"] as "Inputs and outputs". */
function listed(words: string[]): string {
  const text = words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : (words[0] ?? "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
