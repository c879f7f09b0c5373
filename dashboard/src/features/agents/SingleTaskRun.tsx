import { Stack } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useRun, type Schemas } from "../../api";
import { DimmedXs, SubHeading } from "../../components/variants";
import type { Task, WorkflowDocument } from "../../graph/document";
import { readsMessage, suppliedInputsOf } from "../../values/testInputs";
import { TestResult } from "./TestRun";
import { TestRunForm } from "./TestRunForm";
import type { Saving } from "./useDraftSaving";

interface Props {
  document: WorkflowDocument;
  task: Task;
  saving: Saving;
  /** The latest test run of the whole draft, whose values may be reused. */
  lastRun: Schemas["WorkflowInstance"] | undefined;
}

/** Runs one task alone, with inputs that this browser keeps. It moves into view and gets the focus. */
export function SingleTaskRun({ document, task, saving, lastRun }: Props) {
  const section = useRef<HTMLDivElement>(null);
  const [runId, setRunId] = useState("");
  const run = useRun(runId);
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
      <SubHeading>Run this task</SubHeading>
      <DimmedXs>
        Saves the draft and runs this task alone, as a run of its own. This browser remembers the inputs.
      </DimmedXs>
      <TestRunForm
        key={task.id}
        saving={saving}
        fields={fields}
        taskId={task.id}
        withMessage={readsMessage(document, task)}
        action="Run task"
        reusableRun={reusable}
        onStarted={setRunId}
      />
      {run.data && <TestResult run={run.data} />}
    </Stack>
  );
}
