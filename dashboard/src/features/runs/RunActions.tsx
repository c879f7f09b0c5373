import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ErrorNotice } from "../../components/ErrorNotice";
import { useDialog } from "../../components/useDialog";
import { queryClient } from "../../queryClient";
import { OpenInEditorButton } from "./OpenInEditorButton";
import { RerunDialog } from "./RerunDialog";

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
  const request = run.logs?.findLast((entry) => /^(Pause|Resume)Requested$/.test(entry.event));
  const pausedByRequest = request?.event === "PauseRequested";
  return [
    ...(pausedByRequest || waiting.length === 0 ? (["resume"] as const) : []),
    ...(failed ? (["retry"] as const) : []),
    "cancel",
    "terminate",
  ];
}

export function RunActions({ orgId, run }: { orgId: string; run: Schemas["WorkflowInstance"] }) {
  const [rerunFrom, setRerunFrom] = useState<string | undefined>();
  const rerun = useDialog("run-again");
  const failed = run.status === "FAILED" ? (run.error?.task ?? undefined) : undefined;
  const runAgain = (from: string | undefined) => {
    setRerunFrom(from);
    rerun.open();
  };
  const [confirming, setConfirming] = useState<Action | null>(null);
  const id = run.workflow_instance_id;
  const act = useMutation({
    mutationFn: (action: Action) =>
      unwrap(
        api.POST(`/dashboard/api/organizations/{orgId}/instances/{id}/${action}`, {
          params: { path: { orgId, id } },
        }),
      ),
    onSuccess: () => setConfirming(null),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["organization", orgId, "run", id] }),
  });
  const start = (action: Action) =>
    action === "cancel" || action === "terminate" ? setConfirming(action) : act.mutate(action);
  return (
    <>
      {availableActions(run).map((action) => (
        <Button
          key={action}
          variant="default"
          loading={act.isPending && act.variables === action}
          onClick={() => start(action)}
        >
          {LABELS[action]}
        </Button>
      ))}
      {failed && (
        <Button variant="default" onClick={() => runAgain(failed)}>
          Retry failed task
        </Button>
      )}
      <Button variant="default" onClick={() => runAgain(undefined)}>
        Run again
      </Button>
      <OpenInEditorButton orgId={orgId} run={run} />
      <RerunDialog orgId={orgId} run={run} from={rerunFrom} opened={rerun.opened} onClose={rerun.close} />
      {confirming === null && <ErrorNotice error={act.error} />}
      <ConfirmDialog
        opened={confirming !== null}
        title={confirming === "cancel" ? "Cancel this run?" : "Terminate this run?"}
        action={confirming ? LABELS[confirming] : ""}
        dismissLabel="Keep running"
        mutation={act}
        onConfirm={() => confirming && act.mutate(confirming)}
        onClose={() => setConfirming(null)}
      >
        <Text size="sm">
          {confirming === "cancel"
            ? "Running tasks will be stopped and their results discarded."
            : "The run stops immediately without waiting for its tasks."}{" "}
          A stopped run can’t be resumed.
        </Text>
      </ConfirmDialog>
    </>
  );
}
