import { Alert, Code, Group, Spoiler, Stack, Text } from "@mantine/core";
import { TextLink } from "../../components/PageLink";
import { useOriginTimes, useTaskInputs, type Schemas } from "../../api";
import { DimmedXs, Strong, Dimmed, PlainText } from "../../components/variants";
import type { Task } from "../../graph/document";
import { formatCost, formatCount } from "../../components/formatNumbers";
import { CopyButton } from "../../components/CopyButton";
import { FormattedText } from "../../components/Markdown";
import { formatDuration, Time } from "../../components/Time";
import { ValueList } from "../../components/ValueList";
import { shownStatus } from "../../graph/shownStatus";
import { Attempts, isSameError } from "./Attempts";
import { durationOf, type TaskRecord } from "./queries";

interface Props {
  run: Schemas["WorkflowInstance"];
  task: Schemas["TaskInstance"];
  record: TaskRecord | undefined;
  definition: Task | undefined;
  /** Whether long values are folded, as in a narrow panel that does not show the error of the run. */
  folded?: boolean;
}

/** A task of a run with its inputs, outputs, attempts and cost. */
export function TaskDetails({ run, task, record, definition, folded = false }: Props) {
  const duration = durationOf(task.started_at, task.finished_at);
  const originTime = useOriginTimes(run).get(task.reused_from ?? "");
  const isIgnored = shownStatus(task) === "FAILED_IGNORED";
  const tokens = (record?.inputTokens ?? 0) + (record?.outputTokens ?? 0);
  return (
    <Stack gap="sm">
      {task.error && (folded || !isSameError(task.error, run.error)) && (
        <Alert
          color={isIgnored ? "yellow" : "red"}
          title={`${isIgnored ? "Failed, ignored: " : ""}${task.error.error}`}
        >
          <PlainText>{task.error.detail}</PlainText>
          {isIgnored && (
            <Text size="sm" mt={6}>
              The error policy of the task ignores failures, so the run continued without its outputs.
            </Text>
          )}
        </Alert>
      )}
      <Fact label="Type">{task.kind}</Fact>
      {task.reused ? (
        <Fact label="Result reused from">
          {task.reused_from && (
            <TextLink to={`runs/${task.reused_from}?task=${task.id}`}>
              {originTime === undefined ? (
                "an earlier run"
              ) : (
                <>
                  the run of <Time at={originTime} seconds />
                </>
              )}
            </TextLink>
          )}
        </Fact>
      ) : (
        <>
          <Fact label="Started">
            <Time at={task.started_at} seconds none={task.status === "SKIPPED" ? "–" : "Not yet"} />
          </Fact>
          <Fact label="Finished">
            <Time at={task.finished_at} seconds none="Not yet" />
          </Fact>
          {duration !== null && <Fact label="Duration">{formatDuration(duration)}</Fact>}
        </>
      )}
      <ControlFlowFacts task={task} definition={definition} />
      {tokens > 0 && (
        <Fact label="Tokens">
          {formatCount(record!.inputTokens)} in, {formatCount(record!.outputTokens)} out
        </Fact>
      )}
      {record !== undefined && record.costMicros > 0 && (
        <Fact label="Cost">{formatCost(record.costMicros)}</Fact>
      )}
      {task.child_instance_id && (
        <Fact label={task.items ? "Latest sub-workflow" : "Sub-workflow"}>
          <TextLink to={`runs/${task.child_instance_id}`}>Open its run</TextLink>
        </Fact>
      )}
      {task.child_instance_id && (task.items || task.iterations !== undefined) && (
        <Fact label="All sub-workflows">
          <TextLink to={`runs?parent=${run.workflow_instance_id}`}>List their runs</TextLink>
        </Fact>
      )}
      {task.ticket_id && (
        <Fact label="Ticket">
          <TextLink to={`tickets/${task.ticket_id}`}>Open ticket</TextLink>
        </Fact>
      )}
      {definition && (
        <div>
          <DimmedXs fw={600}>Instructions</DimmedXs>
          {definition.kind === "Human" ? (
            <FormattedText>{definition.instructions}</FormattedText>
          ) : (
            <Text size="sm" style={{ whiteSpace: "pre-wrap" }} lineClamp={8}>
              {definition.instructions}
            </Text>
          )}
        </div>
      )}
      <TaskInputs run={run} taskId={task.id} folded={folded} />
      <div>
        <Strong mb={4}>Outputs</Strong>
        {Object.keys(record?.outputs ?? {}).length > 0 ? (
          <Values values={record!.outputs!} folded={folded} />
        ) : (
          <Dimmed>{task.finished_at ? "No outputs." : "No outputs yet."}</Dimmed>
        )}
      </div>
      {task.kind !== "Human" && !task.reused && (
        <div>
          <Strong mb={4}>Attempts</Strong>
          <Attempts key={task.id} run={run} task={task} />
        </div>
      )}
    </Stack>
  );
}

const SKIPPED = {
  CONDITION: "The condition doesn’t hold",
  PREDECESSOR: "A task before it was skipped",
  INSTANCE_ENDED: "The run ended first",
};

/** Why the task was skipped, how often it ran, and what it waits for. */
function ControlFlowFacts({ task, definition }: Pick<Props, "task" | "definition">) {
  return (
    <>
      {task.skip_reason && <Fact label="Skipped">{SKIPPED[task.skip_reason]}</Fact>}
      {definition?.when && (
        <Fact label="Condition">
          <Code>{definition.when}</Code>
        </Fact>
      )}
      {task.items && (
        <Fact label="Items">
          {formatCount(task.items.completed)} of {formatCount(task.items.total)} completed
          {task.items.failed > 0 && `, ${formatCount(task.items.failed)} failed`}
        </Fact>
      )}
      {task.iterations !== undefined && <Fact label="Iterations">{formatCount(task.iterations)}</Fact>}
      {task.wait_until && !task.child_instance_id && (
        <Fact label={task.resume_url ? "Waits for an event until" : "Waits until"}>
          <Time at={task.wait_until} seconds />
        </Fact>
      )}
      {task.resume_url && !task.waiting_items && (
        <Fact label="Resume URL">
          <CopyButton text={task.resume_url} label="Copy URL" small />
        </Fact>
      )}
      {task.waiting_items?.map(({ item, resume_url }) => (
        <Fact key={item} label={`Resume URL of item ${formatCount(item + 1)}`}>
          <CopyButton text={resume_url} label={`Copy URL of item ${formatCount(item + 1)}`} small />
        </Fact>
      ))}
    </>
  );
}

interface InputsProps {
  run: Schemas["WorkflowInstance"];
  taskId: string;
  folded: boolean;
}

function TaskInputs({ run, taskId, folded }: InputsProps) {
  const { data: inputs } = useTaskInputs(run, taskId);
  if (!inputs || Object.keys(inputs.values).length + inputs.unkept.length === 0) {
    return null;
  }
  return (
    <div>
      <Strong mb={4}>Inputs</Strong>
      {Object.keys(inputs.values).length > 0 && <Values values={inputs.values} folded={folded} />}
      {inputs.unkept.length > 0 && (
        <DimmedXs mt={4}>Re-read on every attempt and not stored: {inputs.unkept.join(", ")}.</DimmedXs>
      )}
    </div>
  );
}

const FOLDED_HEIGHT = 240;

function Values({ values, folded }: { values: Record<string, unknown>; folded: boolean }) {
  return folded ? (
    <Spoiler maxHeight={FOLDED_HEIGHT} showLabel="Show all" hideLabel="Show less">
      <ValueList values={values} />
    </Spoiler>
  ) : (
    <ValueList values={values} />
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Dimmed>{label}</Dimmed>
      <Text size="sm" component="div">
        {children}
      </Text>
    </Group>
  );
}
