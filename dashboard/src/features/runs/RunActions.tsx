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

/** What may be done in each status (specification 3.1). */
const POSSIBLE: Record<Schemas["InstanceStatus"], Action[]> = {
  RUNNING: ["pause", "cancel", "terminate"],
  PAUSED: ["resume", "cancel", "terminate"],
  FAILED: ["retry"],
  COMPLETED: [],
  CANCELLED: [],
  TERMINATED: [],
};

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
    onSuccess: (changed) => {
      setAsking(null);
      queryClient.setQueryData(["organization", orgId, "run", id], changed);
    },
    onError: () => queryClient.invalidateQueries({ queryKey: ["organization", orgId, "run", id] }),
  });
  const start = (action: Action) =>
    action === "cancel" || action === "terminate" ? setAsking(action) : act.mutate(action);
  return (
    <>
      {POSSIBLE[run.status].map((action) => (
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
        busy={act.isPending}
        error={act.error}
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
