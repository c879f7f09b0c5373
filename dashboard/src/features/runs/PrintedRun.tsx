import { Stack, Text, Title } from "@mantine/core";
import { useAllTaskInputs, useAttempts, useOriginTimes, useRunInput, type Schemas } from "../../api";
import { CardHeading, Dimmed } from "../../components/variants";
import { useMarkdownOnPaper } from "../../components/Markdown";
import { formatCost, formatCount } from "../../components/formatNumbers";
import { formatDuration, Time } from "../../components/Time";
import { useIdle } from "../../components/useIdle";
import { usePrinting } from "../../components/usePrinting";
import { ValueList } from "../../components/ValueList";
import { TaskStatusLabel } from "../../graph/TaskStatusLabel";
import { durationOf, modelsOf, valuesOf, type TaskRecord } from "./queries";

/** Attempts have prompts, so those of large runs are loaded only for printing. */
const MAX_PREPARED_ATTEMPTS = 100;

interface Props {
  run: Schemas["WorkflowInstance"];
  records: ReadonlyMap<string, TaskRecord>;
}

/** The whole run on paper: its input, its output, and each task with its inputs, and its outputs or its error. */
export function PrintedRun({ run, records }: Props) {
  const { data: started } = useRunInput(run.workflow_instance_id);
  const originTimes = useOriginTimes(run);
  const printing = usePrinting();
  // A running run changes each second.
  const idle = useIdle();
  const isWanted = printing || (idle && run.status !== "RUNNING");
  const inputs = useAllTaskInputs(run, isWanted);
  const attemptCount = run.tasks.reduce((sum, task) => sum + task.attempts, 0);
  const { data: attempts = [] } = useAttempts(run, undefined, {
    enabled: printing || (isWanted && attemptCount <= MAX_PREPARED_ATTEMPTS),
  });
  useMarkdownOnPaper();
  if (!printing) {
    return null;
  }
  const input = started ? valuesOf(started) : {};
  return (
    <Stack className="printed">
      <Values title="Input" values={input} />
      <Values title="Output" values={run.output ?? {}} />
      {run.tasks.map((task) => (
        <section key={task.id}>
          <CardHeading>
            {task.name} <TaskStatusLabel task={task} />
          </CardHeading>
          <Dimmed>
            {task.kind} · <When task={task} origin={originTimes.get(task.reused_from ?? "")} />
            {!task.reused && usageOf(task, records.get(task.id), modelsOf(attempts, task.id))}
          </Dimmed>
          {task.error && (
            <Text size="sm">
              {task.error.error}: {task.error.detail}
            </Text>
          )}
          <TaskValues title="Inputs" values={inputs?.[task.id]?.values ?? {}} />
          <TaskValues title="Outputs" values={records.get(task.id)?.outputs ?? {}} />
        </section>
      ))}
    </Stack>
  );
}

function Values({ title, values }: { title: string; values: Record<string, unknown> }) {
  return (
    Object.keys(values).length > 0 && (
      <section>
        <CardHeading>{title}</CardHeading>
        <ValueList readable values={values} />
      </section>
    )
  );
}

function TaskValues({ title, values }: { title: string; values: Record<string, unknown> }) {
  return (
    Object.keys(values).length > 0 && (
      <>
        <Title order={3} size="h6" mt="xs">
          {title}
        </Title>
        <ValueList readable values={values} />
      </>
    )
  );
}

/** The tokens, the cost, the models and the number of attempts, such as " · 171 tokens in, 15 out · 2 attempts". */
function usageOf({ attempts }: Schemas["TaskInstance"], record: TaskRecord | undefined, models: string[]) {
  const { inputTokens = 0, outputTokens = 0, costMicros = 0 } = record ?? {};
  return [
    inputTokens + outputTokens > 0 &&
      `${formatCount(inputTokens)} tokens in, ${formatCount(outputTokens)} out`,
    costMicros > 0 && `cost ${formatCost(costMicros)}`,
    ...models,
    attempts > 1 && `${attempts} attempts`,
  ]
    .filter(Boolean)
    .map((fact) => ` · ${fact}`)
    .join("");
}

interface WhenProps {
  task: Schemas["TaskInstance"];
  /** The start of the run whose result the task has. */
  origin: string | undefined;
}

function When({ task, origin }: WhenProps) {
  if (task.reused) {
    return (
      <>
        Reused from{" "}
        {origin ? (
          <>
            the run of <Time at={origin} seconds />
          </>
        ) : (
          "an earlier run"
        )}
      </>
    );
  }
  const took = durationOf(task.started_at, task.finished_at);
  return (
    <>
      <Time at={task.started_at} seconds none="Not started" />
      {took !== null && ` · ${formatDuration(took)}`}
    </>
  );
}
