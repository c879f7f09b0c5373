import { Alert, Anchor, Code, Group, Spoiler, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import type { Schemas } from "../../api/client";
import type { Task } from "../../graph/document";
import { formatCost, formatCount } from "../../components/formatNumbers";
import { CopyButton } from "../../components/CopyButton";
import { FormattedText } from "../../components/Markdown";
import { formatDuration, Time } from "../../components/Time";
import { ValueList } from "../../components/ValueList";
import { shownStatus } from "../../graph/shownStatus";
import { Attempts, isSameError } from "./Attempts";
import { durationOf, useOriginTimes, useTaskInputs, type TaskRecord } from "./queries";

interface Props {
  orgId: string;
  run: Schemas["WorkflowInstance"];
  task: Schemas["TaskInstance"];
  record: TaskRecord | undefined;
  definition: Task | undefined;
  /** Whether long values are folded, as in a narrow panel that does not show the error of the run. */
  folded?: boolean;
}

/** A task of a run with its inputs, outputs, attempts and cost. */
export function TaskDetails({ orgId, run, task, record, definition, folded = false }: Props) {
  const duration = durationOf(task.started_at, task.finished_at);
  const originTime = useOriginTimes(orgId, run).get(task.reused_from ?? "");
  const isIgnored = shownStatus(task) === "FAILED_IGNORED";
  const tokens = (record?.inputTokens ?? 0) + (record?.outputTokens ?? 0);
  return (
    <Stack gap="sm">
      {task.error && (folded || !isSameError(task.error, run.error)) && (
        <Alert
          color={isIgnored ? "yellow" : "red"}
          title={`${isIgnored ? "Failed, ignored: " : ""}${task.error.error}`}
        >
          <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {task.error.detail}
          </Text>
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
            <Anchor
              component={Link}
              inherit
              to={`/organizations/${orgId}/runs/${task.reused_from}?task=${task.id}`}
            >
              {originTime === undefined ? (
                "an earlier run"
              ) : (
                <>
                  the run of <Time at={originTime} seconds />
                </>
              )}
            </Anchor>
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
          <Anchor component={Link} inherit to={`/organizations/${orgId}/runs/${task.child_instance_id}`}>
            Open its run
          </Anchor>
        </Fact>
      )}
      {task.child_instance_id && (task.items || task.iterations !== undefined) && (
        <Fact label="All sub-workflows">
          <Anchor
            component={Link}
            inherit
            to={`/organizations/${orgId}/runs?parent=${run.workflow_instance_id}`}
          >
            List their runs
          </Anchor>
        </Fact>
      )}
      {task.ticket_id && (
        <Fact label="Ticket">
          <Anchor component={Link} inherit to={`/organizations/${orgId}/tickets/${task.ticket_id}`}>
            Open ticket
          </Anchor>
        </Fact>
      )}
      {definition && (
        <div>
          <Text size="xs" fw={600} c="dimmed">
            Instructions
          </Text>
          {definition.kind === "Human" ? (
            <FormattedText>{definition.instructions}</FormattedText>
          ) : (
            <Text size="sm" style={{ whiteSpace: "pre-wrap" }} lineClamp={8}>
              {definition.instructions}
            </Text>
          )}
        </div>
      )}
      <TaskInputs orgId={orgId} run={run} taskId={task.id} folded={folded} />
      <div>
        <Text size="sm" fw={600} mb={4}>
          Outputs
        </Text>
        {Object.keys(record?.outputs ?? {}).length > 0 ? (
          <Values values={record!.outputs!} folded={folded} />
        ) : (
          <Text size="sm" c="dimmed">
            {task.finished_at ? "No outputs." : "No outputs yet."}
          </Text>
        )}
      </div>
      {task.kind !== "Human" && !task.reused && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            Attempts
          </Text>
          <Attempts key={task.id} orgId={orgId} run={run} task={task} />
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
  orgId: string;
  run: Schemas["WorkflowInstance"];
  taskId: string;
  folded: boolean;
}

function TaskInputs({ orgId, run, taskId, folded }: InputsProps) {
  const { data: inputs } = useTaskInputs(orgId, run, taskId);
  if (!inputs || Object.keys(inputs.values).length + inputs.unkept.length === 0) {
    return null;
  }
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        Inputs
      </Text>
      {Object.keys(inputs.values).length > 0 && <Values values={inputs.values} folded={folded} />}
      {inputs.unkept.length > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          Re-read on every attempt and not stored: {inputs.unkept.join(", ")}.
        </Text>
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
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text size="sm" component="div">
        {children}
      </Text>
    </Group>
  );
}
