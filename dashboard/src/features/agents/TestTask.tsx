import { ActionIcon, Button, Group, Stack, Title } from "@mantine/core";
import { IconPencil, IconPlayerPlay, IconX } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { ErrorNotice } from "../../components/ErrorNotice";
import { TaskStatusLabel } from "../../graph/TaskStatusLabel";
import { recordsOf, useRunDocument, useRunLog } from "../runs/queries";
import { TaskDetails } from "../runs/TaskDetails";
import { asTyped, keptInputs, NO_INPUTS, type TestInputs } from "./testInputs";
import { useKeptValue } from "./useKeptValue";

interface Props {
  orgId: string;
  run: Schemas["WorkflowInstance"];
  task: Schemas["TaskInstance"];
  onEdit: () => void;
  /** Opens the form that runs the task alone. */
  onRunAlone: () => void;
  onClose: () => void;
}

/** A task of the latest test run, as on the page of the run, and what to do with it next. */
export function TestTask({ orgId, run, task, onEdit, onRunAlone, onClose }: Props) {
  const document = useRunDocument(orgId, run);
  const log = useRunLog(orgId, run);
  const [, setInputs] = useKeptValue<TestInputs>(orgId, keptInputs(run.workflow_id, task.id), NO_INPUTS);
  const pin = useMutation({
    mutationFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/instances/{instanceId}/inputs/{taskId}", {
          params: { path: { orgId, instanceId: run.workflow_instance_id, taskId: task.id } },
        }),
      ),
    onSuccess: ({ values }) => {
      setInputs((now) => ({ ...now, values: asTyped(values) }));
      onRunAlone();
    },
  });
  return (
    <Stack gap="sm" component="section" aria-label="Task of the test run">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Group gap="xs">
          <Title order={2} size="h5">
            {task.name}
          </Title>
          <TaskStatusLabel task={task} />
        </Group>
        <ActionIcon variant="subtle" color="gray" aria-label="Back to the test run" onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </Group>
      <Group gap="xs">
        <Button size="xs" variant="default" leftSection={<IconPencil size={14} />} onClick={onEdit}>
          Edit task
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerPlay size={14} />}
          loading={pin.isPending}
          onClick={() => pin.mutate()}
        >
          Run alone with these inputs
        </Button>
      </Group>
      <ErrorNotice error={pin.error} />
      <TaskDetails
        orgId={orgId}
        run={run}
        task={task}
        record={recordsOf(log.data ?? []).get(task.id)}
        definition={document.data?.tasks.find((each) => each.id === task.id)}
        folded
      />
    </Stack>
  );
}
