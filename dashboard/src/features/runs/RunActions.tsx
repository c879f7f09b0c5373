import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask, type Schemas } from "../../api/client";
import { Confirm } from "../../parts/Confirm";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { queryClient } from "../../queryClient";

type Action = "pause" | "resume" | "cancel" | "terminate" | "retry";

const LABELS: Record<Action, string> = {
  pause: "Pause",
  resume: "Resume",
  cancel: "Cancel run",
  terminate: "Terminate run",
  retry: "Retry",
};

/** What may be done now (specification 3.1): what the service would refuse is not offered. */
function possible(run: Schemas["WorkflowInstance"]): Action[] {
  if (run.status === "RUNNING") {
    return ["pause", "cancel", "terminate"];
  }
  if (run.status !== "PAUSED") {
    return [];
  }
  const waiting = run.tasks.filter((task) => task.status === "WAITING");
  const failed = waiting.some((task) => task.error !== null && task.ticket_id !== null);
  // Whoever waits for a person goes on by the person's answer, unless somebody paused it besides.
  const request = run.logs?.findLast((entry) => /^(Pause|Resume)Requested$/.test(entry.event));
  const byRequest = request?.event === "PauseRequested";
  return [
    ...(byRequest || waiting.length === 0 ? (["resume"] as const) : []),
    ...(failed ? (["retry"] as const) : []),
    "cancel",
    "terminate",
  ];
}

export function RunActions({ orgId, run }: { orgId: string; run: Schemas["WorkflowInstance"] }) {
  const [asking, setAsking] = useState<Action | null>(null);
  const id = run.workflow_instance_id;
  const act = useMutation({
    mutationFn: (action: Action) =>
      ask(
        api.POST(`/dashboard/api/organizations/{orgId}/instances/{id}/${action}`, {
          params: { path: { orgId, id } },
        }),
      ),
    onSuccess: () => setAsking(null),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["organization", orgId, "run", id] }),
  });
  const start = (action: Action) =>
    action === "cancel" || action === "terminate" ? setAsking(action) : act.mutate(action);
  return (
    <>
      {possible(run).map((action) => (
        <Button
          key={action}
          variant="default"
          loading={act.isPending && act.variables === action}
          onClick={() => start(action)}
        >
          {LABELS[action]}
        </Button>
      ))}
      {asking === null && <ErrorNotice error={act.error} />}
      <Confirm
        opened={asking !== null}
        title={asking === "cancel" ? "Cancel this run?" : "Terminate this run?"}
        action={asking ? LABELS[asking] : ""}
        sending={act}
        onConfirm={() => asking && act.mutate(asking)}
        onClose={() => setAsking(null)}
      >
        <Text size="sm">
          {asking === "cancel"
            ? "Tasks in flight are told to stop and their results are dropped."
            : "It ends at once, whatever its tasks do."}{" "}
          A run that has ended cannot go on.
        </Text>
      </Confirm>
    </>
  );
}
