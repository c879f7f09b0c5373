import { Card, Group, Stack } from "@mantine/core";
import { useMemo, useState } from "react";
import { Dimmed, SubHeading } from "../../components/variants";
import { StatusLabel } from "../../components/StatusLabel";
import { ValueList } from "../../components/ValueList";
import type { WorkflowDocument } from "../../graph/document";
import { useTaskPositions } from "../../graph/positions";
import RunGraph from "../../graph/RunGraph";
import { changesBetween, fieldsOf, withRemovedTasks } from "./changes";
import { useSubtitles } from "./useSubtitles";

interface Props {
  workflowId: string;
  document: WorkflowDocument;
  /** The version whose differences are marked; null for none. */
  before: WorkflowDocument | null;
}

/** The graph of a version with its changes, and the fields of the selected task, to read. */
export default function VersionGraph({ workflowId, document, before }: Props) {
  const positions = useTaskPositions(workflowId);
  const subtitleOf = useSubtitles();
  const [selected, setSelected] = useState<string | null>(null);
  const drawn = useMemo(() => (before ? withRemovedTasks(before, document) : document), [before, document]);
  const changes = useMemo(
    () =>
      new Map((before ? changesBetween(before, document).tasks : []).map((task) => [task.id, task.change])),
    [before, document],
  );
  const task =
    drawn.tasks.find((each) => each.id === selected) ??
    drawn.tasks.find((each) => changes.has(each.id)) ??
    drawn.tasks[0];
  if (!task) {
    return <Dimmed>This version has no tasks.</Dimmed>;
  }
  const change = changes.get(task.id);
  return (
    <Stack>
      {!positions.isPending && (
        <RunGraph
          document={drawn}
          tasks={[]}
          positions={positions.data}
          selected={task.id}
          subtitleOf={subtitleOf}
          changeOf={(id) => changes.get(id)}
          onSelect={setSelected}
        />
      )}
      <Card withBorder component="section" aria-label="Selected task">
        <Group gap="xs" mb="sm">
          <SubHeading>{task.name || task.id}</SubHeading>
          {change && <StatusLabel status={change} />}
        </Group>
        <ValueList
          values={Object.fromEntries(fieldsOf(change === "removed" && before ? before : document, task))}
        />
      </Card>
    </Stack>
  );
}
