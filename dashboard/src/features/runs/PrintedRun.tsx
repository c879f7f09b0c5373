import { Stack, Text, Title } from "@mantine/core";
import type { Schemas } from "../../api/client";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { usePrinting } from "../../components/usePrinting";
import { ValueList } from "../../components/ValueList";
import { useRunInput, valuesOf, type TaskRecord } from "./queries";

interface Props {
  orgId: string;
  run: Schemas["WorkflowInstance"];
  records: ReadonlyMap<string, TaskRecord>;
}

/** The whole run on paper: its input, its output, and each task with its outputs or its error. */
export function PrintedRun({ orgId, run, records }: Props) {
  const { data: started } = useRunInput(orgId, run.workflow_instance_id);
  const printing = usePrinting();
  if (!printing) {
    return null;
  }
  const input = started ? valuesOf(started) : {};
  return (
    <Stack>
      <Values title="Input" values={input} />
      <Values title="Output" values={run.output ?? {}} />
      {run.tasks.map((task) => (
        <section key={task.id}>
          <Title order={2} size="h5">
            {task.name} <StatusLabel status={task.status} />
          </Title>
          <Text size="sm" c="dimmed">
            {task.kind} · <Time at={task.started_at} seconds none="Not started" />
          </Text>
          {task.error && (
            <Text size="sm">
              {task.error.error}: {task.error.detail}
            </Text>
          )}
          <ValueList readable values={records.get(task.id)?.outputs ?? {}} />
        </section>
      ))}
    </Stack>
  );
}

function Values({ title, values }: { title: string; values: Record<string, unknown> }) {
  return (
    Object.keys(values).length > 0 && (
      <section>
        <Title order={2} size="h5">
          {title}
        </Title>
        <ValueList readable values={values} />
      </section>
    )
  );
}
