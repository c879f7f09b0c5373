import { Card, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { ValueList } from "../../components/ValueList";
import type { WorkflowDocument } from "../../graph/document";
import { useTaskPositions } from "../../graph/positions";
import RunGraph from "../../graph/RunGraph";
import { fieldsOf } from "./changes";

interface Props {
  orgId: string;
  workflowId: string;
  document: WorkflowDocument;
}

/** The graph of a version, and the fields of the selected task, to read. */
export default function VersionGraph({ orgId, workflowId, document }: Props) {
  const positions = useTaskPositions(orgId, workflowId);
  const [selected, setSelected] = useState<string | null>(null);
  const task = document.tasks.find((each) => each.id === selected) ?? document.tasks[0];
  if (!task) {
    return (
      <Text size="sm" c="dimmed">
        This version has no tasks.
      </Text>
    );
  }
  return (
    <Stack>
      {!positions.isPending && (
        <RunGraph
          document={document}
          tasks={[]}
          positions={positions.data}
          selected={task.id}
          onSelect={setSelected}
        />
      )}
      <Card withBorder component="section" aria-label="Selected task">
        <Title order={3} size="h5" mb="sm">
          {task.name || task.id}
        </Title>
        <ValueList values={Object.fromEntries(fieldsOf(document, task))} />
      </Card>
    </Stack>
  );
}
