import { Alert, Anchor, Group, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import type { Schemas } from "../../api/client";
import type { Task } from "../../graph/document";
import { formatCost, formatCount } from "../../components/formatNumbers";
import { Time } from "../../components/Time";
import { ValueList } from "../../components/ValueList";
import { Attempts, isSameError } from "./Attempts";
import { useTaskInputs, type TaskRecord } from "./queries";

interface Props {
  orgId: string;
  run: Schemas["WorkflowInstance"];
  task: Schemas["TaskInstance"];
  record: TaskRecord | undefined;
  definition: Task | undefined;
}

/** A task of a run with its inputs, outputs, attempts and cost. */
export function TaskDetails({ orgId, run, task, record, definition }: Props) {
  const tokens = (record?.inputTokens ?? 0) + (record?.outputTokens ?? 0);
  return (
    <Stack gap="sm">
      {task.error && !isSameError(task.error, run.error) && (
        <Alert color="red" title={task.error.error}>
          <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {task.error.detail}
          </Text>
        </Alert>
      )}
      <Fact label="Type">{task.kind}</Fact>
      <Fact label="Started">
        <Time at={task.started_at} seconds none="Not yet" />
      </Fact>
      <Fact label="Finished">
        <Time at={task.finished_at} seconds none="Not yet" />
      </Fact>
      {tokens > 0 && (
        <Fact label="Tokens">
          {formatCount(record!.inputTokens)} in, {formatCount(record!.outputTokens)} out
        </Fact>
      )}
      {record !== undefined && record.costMicros > 0 && (
        <Fact label="Cost">{formatCost(record.costMicros)}</Fact>
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
          <Text size="sm" style={{ whiteSpace: "pre-wrap" }} lineClamp={8}>
            {definition.instructions}
          </Text>
        </div>
      )}
      <TaskInputs orgId={orgId} run={run} taskId={task.id} />
      <div>
        <Text size="sm" fw={600} mb={4}>
          Outputs
        </Text>
        {Object.keys(record?.outputs ?? {}).length > 0 ? (
          <ValueList values={record!.outputs!} />
        ) : (
          <Text size="sm" c="dimmed">
            No outputs yet.
          </Text>
        )}
      </div>
      {task.kind !== "Human" && (
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

interface InputsProps {
  orgId: string;
  run: Schemas["WorkflowInstance"];
  taskId: string;
}

function TaskInputs({ orgId, run, taskId }: InputsProps) {
  const { data: inputs } = useTaskInputs(orgId, run, taskId);
  if (!inputs || Object.keys(inputs.values).length + inputs.unkept.length === 0) {
    return null;
  }
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        Inputs
      </Text>
      {Object.keys(inputs.values).length > 0 && <ValueList values={inputs.values} />}
      {inputs.unkept.length > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          Re-read on every attempt and not stored: {inputs.unkept.join(", ")}.
        </Text>
      )}
    </div>
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
