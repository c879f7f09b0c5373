import { ActionIcon, Group, Stack, Title } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { Schemas } from "../../api/client";
import { TaskStatusLabel } from "../../graph/TaskStatusLabel";
import { recordsOf, useRunDocument, useRunLog } from "../runs/queries";
import { TaskDetails } from "../runs/TaskDetails";

interface Props {
  orgId: string;
  run: Schemas["WorkflowInstance"];
  task: Schemas["TaskInstance"];
  onClose: () => void;
}

/** A task of the latest test run, as on the page of the run. */
export function TestTask({ orgId, run, task, onClose }: Props) {
  const document = useRunDocument(orgId, run);
  const log = useRunLog(orgId, run);
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
      <TaskDetails
        orgId={orgId}
        run={run}
        task={task}
        record={recordsOf(log.data ?? []).get(task.id)}
        definition={document.data?.tasks.find((each) => each.id === task.id)}
      />
    </Stack>
  );
}
