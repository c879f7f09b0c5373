import { Alert, Anchor, Group, Stack, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { PageLink, TextLink } from "../../components/PageLink";
import type { Schemas } from "../../api";
import { CardHeading, DimmedXs } from "../../components/variants";
import type { WorkflowDocument } from "../../graph/document";
import { userInputsOf } from "../../graph/userInputs";
import { StatusLabel } from "../../components/StatusLabel";
import { ValueList } from "../../components/ValueList";
import { TestRunForm } from "./TestRunForm";
import { TestTicket } from "./TestTicket";
import { usesMessage } from "../../values/testInputs";
import type { Saving } from "./useDraftSaving";
import classes from "./editor.module.css";

interface Props {
  document: WorkflowDocument;
  saving: Saving;
  /** The latest test run. */
  run: Schemas["WorkflowInstance"] | undefined;
  onStarted: (instanceId: string) => void;
}

/** Starts test runs of the draft and shows the result; the graph shows the progress. */
export function TestRun({ document, saving, run, onStarted }: Props) {
  return (
    <Stack>
      <CardHeading>Test run</CardHeading>
      <DimmedXs>
        Saves the draft and runs it. Answers of people are asked for here. This browser remembers the inputs.
      </DimmedXs>
      <TestRunForm
        saving={saving}
        fields={userInputsOf(document)}
        withMessage
        messageNote={
          usesMessage(document)
            ? undefined
            : "No task gets this message. Add an input named human_msg to a task that needs it."
        }
        action="Run"
        onStarted={onStarted}
      />
      {run && <TestResult run={run} />}
    </Stack>
  );
}

/** The status and the outputs of a test run, and the ticket that it waits for. */
export function TestResult({ run }: { run: Schemas["WorkflowInstance"] }) {
  const waiting = run.tasks.find((task) => task.status === "WAITING" && task.ticket_id);
  const failed = run.tasks.find((task) => task.id === run.error?.task);
  const result = useRef<HTMLDivElement>(null);
  const id = run.workflow_instance_id;
  // The form above may fill the panel; each start, question and end brings the result into view.
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not return.
    void result.current?.scrollIntoView({ block: "nearest" });
  }, [id, run.status]);
  return (
    <Stack ref={result} gap="sm" aria-live="polite" className={classes.result}>
      <Group gap="xs">
        <StatusLabel status={run.status} />
        <Anchor component={PageLink} size="sm" to={`runs/${run.workflow_instance_id}`}>
          Open run
        </Anchor>
      </Group>
      {run.error && (
        <Alert color="red" title={failed ? `“${failed.name}” failed: ${run.error.error}` : run.error.error}>
          {run.error.detail}
        </Alert>
      )}
      {waiting && (
        <Text size="sm">
          “{waiting.name}”{" "}
          {waiting.error
            ? "failed. Retry it or enter its result here or in"
            : "is waiting for someone to complete"}{" "}
          <TextLink to={`tickets/${waiting.ticket_id}`}>its ticket</TextLink>.
        </Text>
      )}
      {waiting?.ticket_id && <TestTicket key={waiting.ticket_id} runId={id} ticketId={waiting.ticket_id} />}
      {run.output && (
        // A region that scrolls needs the focus for the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={classes.output} tabIndex={0} role="region" aria-label="Output">
          <ValueList values={run.output} />
        </div>
      )}
    </Stack>
  );
}
