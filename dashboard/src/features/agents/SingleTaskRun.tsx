import { Stack, Text, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { Schemas } from "../../api/client";
import type { Task, WorkflowDocument } from "../../graph/document";
import { useRun } from "../runs/queries";
import { readsMessage, suppliedInputsOf } from "./testInputs";
import { TestResult } from "./TestRun";
import { TestRunForm } from "./TestRunForm";
import type { Saving } from "./useDraftSaving";

interface Props {
  orgId: string;
  document: WorkflowDocument;
  task: Task;
  saving: Saving;
  /** The latest test run of the whole draft, whose values may be reused. */
  lastRun: Schemas["WorkflowInstance"] | undefined;
}

/** Runs one task alone, with inputs that this browser keeps. It moves into view and gets the focus. */
export function SingleTaskRun({ orgId, document, task, saving, lastRun }: Props) {
  const section = useRef<HTMLDivElement>(null);
  const [runId, setRunId] = useState("");
  const run = useRun(orgId, runId);
  const fields = suppliedInputsOf(document, task);
  const reusable =
    fields.length > 0 && lastRun?.tasks.some((each) => each.id === task.id)
      ? lastRun.workflow_instance_id
      : null;
  useEffect(() => {
    section.current?.scrollIntoView({ block: "nearest" });
    section.current?.querySelector<HTMLElement>("input, textarea")?.focus({ preventScroll: true });
  }, []);
  return (
    <Stack ref={section} gap="sm" mt="sm" pb="sm" component="section" aria-label="Run this task">
      <Title order={3} size="h5">
        Run this task
      </Title>
      <Text size="xs" c="dimmed">
        Saves the draft and runs this task alone, as a run of its own. This browser remembers the inputs.
      </Text>
      <TestRunForm
        key={task.id}
        orgId={orgId}
        saving={saving}
        fields={fields}
        taskId={task.id}
        withMessage={readsMessage(document, task)}
        action="Run task"
        reusableRun={reusable}
        onStarted={setRunId}
      />
      {run.data && <TestResult orgId={orgId} run={run.data} />}
    </Stack>
  );
}
