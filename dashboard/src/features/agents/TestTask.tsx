import { Group, Stack } from "@mantine/core";
import { IconPencil, IconPlayerPlay, IconX } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { readTaskInputs, useOrganizationId, useRunLog, type Schemas } from "../../api";
import { CardHeading, SmallButton } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { IconButton } from "../../components/IconButton";
import { TaskStatusLabel } from "../../graph/TaskStatusLabel";
import { recordsOf, useRunDocument } from "../runs/queries";
import { TaskDetails } from "../runs/TaskDetails";
import { asTyped, keptInputs, NO_INPUTS, type TestInputs } from "../../values/testInputs";
import { useKeptValue } from "./useKeptValue";

interface Props {
  run: Schemas["WorkflowInstance"];
  task: Schemas["TaskInstance"];
  onEdit: () => void;
  /** Opens the form that runs the task alone. */
  onRunAlone: () => void;
  onClose: () => void;
}

/** A task of the latest test run, as on the page of the run, and what to do with it next. */
export function TestTask({ run, task, onEdit, onRunAlone, onClose }: Props) {
  const orgId = useOrganizationId();
  const document = useRunDocument(run);
  const log = useRunLog(run);
  const [, setInputs] = useKeptValue<TestInputs>(keptInputs(run.workflow_id, task.id), NO_INPUTS);
  const pin = useMutation({
    mutationFn: () => readTaskInputs(orgId, run.workflow_instance_id, task.id),
    onSuccess: ({ values }) => {
      setInputs((now) => ({ ...now, values: asTyped(values) }));
      onRunAlone();
    },
  });
  return (
    <Stack gap="sm" component="section" aria-label="Task of the test run">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Group gap="xs">
          <CardHeading>{task.name}</CardHeading>
          <TaskStatusLabel task={task} />
        </Group>
        <IconButton icon={IconX} label="Back to the test run" onClick={onClose} />
      </Group>
      <Group gap="xs">
        <SmallButton leftSection={<IconPencil size={14} />} onClick={onEdit}>
          Edit task
        </SmallButton>
        <SmallButton
          leftSection={<IconPlayerPlay size={14} />}
          loading={pin.isPending}
          onClick={() => pin.mutate()}
        >
          Run alone with these inputs
        </SmallButton>
      </Group>
      <ErrorNotice error={pin.error} />
      <TaskDetails
        run={run}
        task={task}
        record={recordsOf(log.data ?? []).get(task.id)}
        definition={document.data?.tasks.find((each) => each.id === task.id)}
        folded
      />
    </Stack>
  );
}
