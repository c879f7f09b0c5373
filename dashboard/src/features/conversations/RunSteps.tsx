import { Alert, Anchor, Group, Loader, Text } from "@mantine/core";
import { useDisclosure, useInterval } from "@mantine/hooks";
import {
  IconAlertTriangle,
  IconCircle,
  IconCircleCheck,
  IconCircleMinus,
  IconClockPause,
  IconPlayerStop,
} from "@tabler/icons-react";
import { useEffect, useState, type ReactNode } from "react";
import { PageLink } from "../../components/PageLink";
import { isFinished, useAttempts, useRun, useRunAction, type Schemas } from "../../api";
import { DimmedXs, SecondaryButton, QuietButton } from "../../components/variants";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ErrorNotice } from "../../components/ErrorNotice";
import { statusText } from "../../components/StatusLabel";
import { formatDuration } from "../../components/Time";
import { shownStatus, statusReason, type ShownStatus } from "../../graph/shownStatus";
import classes from "./chat.module.css";

interface Props {
  runId: string;
  /** The status that the message shows; the run itself is loaded only if its steps are shown. */
  status: string | undefined;
  /** Whether the steps are shown at first. */
  latest: boolean;
}

/** The steps of a run below the message that started it. */
export function RunSteps({ runId, status = "RUNNING", latest }: Props) {
  const [opened, toggle] = useDisclosure(latest);
  const shown = opened || status === "RUNNING" || status === "PAUSED";
  return (
    <section className={classes.run} aria-label="Run">
      <Group gap="xs">
        <Anchor component={PageLink} size="xs" to={`runs/${runId}`}>
          Run: {statusText(status).toLowerCase()}
        </Anchor>
        {!shown && (
          <QuietButton size="compact-xs" onClick={toggle.open}>
            Show steps
          </QuietButton>
        )}
      </Group>
      {shown && <Steps runId={runId} />}
    </section>
  );
}

function Steps({ runId }: { runId: string }) {
  const { data: run, error } = useRun(runId);
  const running = run !== undefined && !isFinished(run.status);
  const now = useNow(running);
  if (!run) {
    return <ErrorNotice error={error} />;
  }
  const failed = run.tasks.find((task) => task.id === run.error?.task);
  return (
    <>
      <ol className={classes.steps}>
        {run.tasks.map((task) => (
          <Step key={task.id} task={task} now={now}>
            {task.kind === "AI" && task.started_at && !task.reused && <ToolCalls run={run} task={task} />}
          </Step>
        ))}
      </ol>
      {run.error && run.status === "FAILED" && (
        <Alert color="red" py="xs" mt={6} title={failed ? `“${failed.name}” failed` : "The run failed"}>
          <Text size="sm">{run.error.detail}</Text>
          <Anchor component={PageLink} size="sm" to={`runs/${runId}`}>
            View the run
          </Anchor>
        </Alert>
      )}
      {running && <StopButton runId={runId} />}
    </>
  );
}

/** The current time, which advances every second while it is needed. */
function useNow(active: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  const { start, stop } = useInterval(() => setNow(Date.now()), 1000);
  useEffect(() => {
    if (active) {
      start();
    }
    return stop;
  }, [active, start, stop]);
  return now;
}

type Task = Schemas["TaskInstance"];

function Step({ task, now, children }: { task: Task; now: number; children: ReactNode }) {
  const status = shownStatus(task);
  const began = task.started_at && !task.reused ? Date.parse(task.started_at) : null;
  const took =
    began === null ? null : (task.finished_at ? Date.parse(task.finished_at) : Math.max(now, began)) - began;
  return (
    <li data-status={status} title={statusReason(task)}>
      <StepIcon status={status} />
      <span>{task.name}</span>
      <DimmedXs span style={{ whiteSpace: "nowrap" }}>
        {statusText(status)}
        {took !== null && ` · ${formatDuration(took)}`}
      </DimmedXs>
      {children}
    </li>
  );
}

/** Calls are stored while their task runs, which changes no run. */
const CALLS_POLL_MS = 3_000;

/** The tools that the model has called in the latest attempt of a task. */
function ToolCalls({ run, task }: { run: Schemas["WorkflowInstance"]; task: Task }) {
  const { data: attempts } = useAttempts(run, task.id, {
    refetchInterval: task.status === "RUNNING" && CALLS_POLL_MS,
  });
  const calls = attempts?.at(-1)?.tool_calls ?? [];
  return (
    calls.length > 0 && (
      <ol className={classes.calls} aria-label={`Tools of ${task.name}`}>
        {calls.map((call, index) => (
          // Tool calls have no IDs and are only added.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <StepIcon status={call.failed ? "FAILED" : "COMPLETED"} />
            <span>{call.tool}</span>
            <DimmedXs span>{formatDuration(call.millis)}</DimmedXs>
          </li>
        ))}
      </ol>
    )
  );
}

function StepIcon({ status }: { status: ShownStatus }) {
  const icon = { size: 16, "aria-hidden": true } as const;
  switch (status) {
    case "RUNNING":
      return <Loader size={14} aria-hidden />;
    case "COMPLETED":
      return <IconCircleCheck {...icon} color="var(--tone-good-fg)" />;
    case "FAILED":
      return <IconAlertTriangle {...icon} color="var(--tone-bad-fg)" />;
    case "FAILED_IGNORED":
      return <IconAlertTriangle {...icon} color="var(--tone-wait-fg)" />;
    case "REUSED":
      return <IconCircleCheck {...icon} />;
    case "WAITING":
      return <IconClockPause {...icon} color="var(--tone-wait-fg)" />;
    case "PENDING":
      return <IconCircle {...icon} />;
    default:
      return <IconCircleMinus {...icon} />;
  }
}

function StopButton({ runId }: { runId: string }) {
  const [confirming, dialog] = useDisclosure(false);
  const stop = useRunAction(runId, { onSuccess: dialog.close });
  return (
    <>
      <SecondaryButton
        size="compact-sm"
        mt={6}
        leftSection={<IconPlayerStop size={14} />}
        onClick={dialog.open}
      >
        Stop
      </SecondaryButton>
      <ConfirmDialog
        opened={confirming}
        title="Stop this run?"
        action="Stop run"
        dismissLabel="Keep running"
        mutation={stop}
        onConfirm={() => stop.mutate("cancel")}
        onClose={dialog.close}
      >
        Running tasks will be stopped and their results discarded. A stopped run can’t be resumed.
      </ConfirmDialog>
    </>
  );
}
