import { Button, Tooltip } from "@mantine/core";
import { IconPencil, IconPlayerStop, IconRepeat } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "react-router";
import { loadPrintedRun, rerun, useOrganizationId, useRunAction, type Schemas } from "../../api";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ErrorNotice } from "../../components/ErrorNotice";
import { MoreMenu, MenuItem } from "../../components/MoreMenu";
import { useGoTo } from "../../components/PageLink";
import { PrintItem } from "../../components/PrintButton";
import { useDialog } from "../../components/useDialog";
import { listSearch } from "./runFilters";
import { RerunDialog } from "./RerunDialog";
import { useOpenInEditor } from "./useOpenInEditor";

type Action = "pause" | "resume" | "cancel" | "terminate" | "retry";

const LABELS: Record<Action, string> = {
  pause: "Pause",
  resume: "Resume",
  cancel: "Cancel run",
  terminate: "Terminate run",
  retry: "Retry",
};

/** The actions that the server accepts in the current status. */
function availableActions(run: Schemas["WorkflowInstance"]): Action[] {
  if (run.status === "RUNNING") {
    return ["pause", "cancel", "terminate"];
  }
  if (run.status !== "PAUSED") {
    return [];
  }
  const waiting = run.tasks.filter((task) => task.status === "WAITING");
  const failed = waiting.some((task) => task.error !== null && task.ticket_id !== null);
  // A run that waits for a ticket continues with the answer; Resume applies only if it was also paused by request.
  return [
    ...(run.paused_by_request || waiting.length === 0 ? (["resume"] as const) : []),
    ...(failed ? (["retry"] as const) : []),
    "cancel",
    "terminate",
  ];
}

interface Props {
  run: Schemas["WorkflowInstance"];
  /** The task that the page shows. */
  selected: string | undefined;
}

/** The next step as the primary button, one or two others, and the rest in a menu. */
export function RunActions({ run, selected }: Props) {
  const orgId = useOrganizationId();
  const goTo = useGoTo();
  const { search } = useLocation();
  const dialog = useDialog("run-again");
  const failed = run.status === "FAILED" ? (run.error?.task ?? undefined) : undefined;
  const retryFailed = useMutation({
    mutationFn: (task: string) => rerun(orgId, run.workflow_instance_id, task),
    onSuccess: (next) => goTo(`runs/${next.workflow_instance_id}${listSearch(search)}`),
  });
  const [confirming, setConfirming] = useState<Action | null>(null);
  const id = run.workflow_instance_id;
  const act = useRunAction(id, { onSuccess: () => setConfirming(null) });
  const start = (action: Action) =>
    action === "cancel" || action === "terminate" ? setConfirming(action) : act.mutate(action);
  const available = availableActions(run);
  const canTerminate = available.includes("terminate");
  const canRetry = available.includes("retry");
  // A failed task may need other values.
  const inMenu = canTerminate && !canRetry;
  const openInEditor = useOpenInEditor(run);
  return (
    <>
      {failed && (
        <Tooltip
          label="Starts a new run from this task with the same input and the earlier results"
          multiline
          maw={300}
        >
          <Button loading={retryFailed.isPending} onClick={() => retryFailed.mutate(failed)}>
            Retry failed task
          </Button>
        </Tooltip>
      )}
      {available
        .filter((action) => action !== "terminate")
        .map((action) => (
          <Button
            key={action}
            variant={action === "resume" || action === "retry" ? "filled" : "default"}
            loading={act.isPending && act.variables === action}
            onClick={() => start(action)}
          >
            {LABELS[action]}
          </Button>
        ))}
      {!inMenu && (
        <Button variant={failed || canRetry ? "default" : "filled"} onClick={dialog.open}>
          Run again…
        </Button>
      )}
      <MoreMenu>
        {inMenu && <MenuItem icon={IconRepeat} label="Run again…" onClick={dialog.open} />}
        <MenuItem
          icon={IconPencil}
          label="Open in editor"
          disabled={openInEditor.isPending}
          onClick={() => openInEditor.mutate()}
        />
        <PrintItem prepare={() => loadPrintedRun(orgId, run)} />
        {canTerminate && (
          <MenuItem icon={IconPlayerStop} label="Terminate run…" danger onClick={() => start("terminate")} />
        )}
      </MoreMenu>
      <RerunDialog run={run} selected={selected} opened={dialog.opened} onClose={dialog.close} />
      {confirming === null && <ErrorNotice error={act.error ?? retryFailed.error ?? openInEditor.error} />}
      <ConfirmDialog
        opened={confirming !== null}
        title={confirming === "cancel" ? "Cancel this run?" : "Terminate this run?"}
        action={confirming ? LABELS[confirming] : ""}
        dismissLabel="Keep running"
        mutation={act}
        onConfirm={() => confirming && act.mutate(confirming)}
        onClose={() => setConfirming(null)}
      >
        {confirming === "cancel"
          ? "Running tasks will be stopped and their results discarded."
          : "The run stops immediately without waiting for its tasks."}{" "}
        A stopped run can’t be resumed.
      </ConfirmDialog>
    </>
  );
}
