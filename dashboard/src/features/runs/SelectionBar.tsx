import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { queryClient } from "../../queryClient";
import { isFinished } from "./queries";
import { rerun } from "./rerun";
import { comparisonPath } from "./runFilters";
import { selectionState } from "./selectionState";
import classes from "./runs.module.css";

/** The most runs that one request may cancel, and that are run again at once. */
export const MAX_SELECTED = 100;

interface Props {
  orgId: string;
  selected: Schemas["WorkflowInstanceSummary"][];
  /** Replaces the selection. */
  onSelect: (ids: string[]) => void;
}

/** Compares two selected runs, runs finished ones again, or cancels those that have not finished. */
export function SelectionBar({ orgId, selected, onSelect }: Props) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const [confirming, setConfirming] = useState<"cancel" | "rerun" | null>(null);
  const active = selected.filter((run) => !isFinished(run.status));
  const cancel = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/instances/cancel", {
          params: { path: { orgId } },
          body: { workflow_instance_ids: active.map((run) => run.workflow_instance_id) },
        }),
      ),
    onSuccess: ({ results }) => {
      const failed = results.filter((each) => !each.succeeded);
      if (results.length > failed.length) {
        notifications.show({ message: `${count(results.length - failed.length)} cancelled.` });
      }
      if (failed.length > 0) {
        notifications.show({
          color: "red",
          title: `${count(failed.length)} couldn’t be cancelled`,
          message: failed[0]!.detail ?? "",
        });
      }
      onSelect(failed.map((each) => each.workflow_instance_id));
      setConfirming(null);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["organization", orgId, "runs"] }),
  });
  const finished = selected.filter((run) => isFinished(run.status));
  const runAgain = useMutation({
    mutationFn: async () => {
      const failed: { id: string; error: unknown }[] = [];
      for (const { workflow_instance_id: id } of finished) {
        try {
          // One at a time, so that a long selection doesn't exceed the limit of running instances at once.
          // oxlint-disable-next-line no-await-in-loop
          await rerun(orgId, id);
        } catch (error) {
          failed.push({ id, error });
        }
      }
      return failed;
    },
    onSuccess: (failed) => {
      if (finished.length > failed.length) {
        notifications.show({ message: `${count(finished.length - failed.length)} started.` });
      }
      const [first] = failed;
      if (first) {
        notifications.show({
          color: "red",
          title: `${count(failed.length)} couldn’t be started`,
          message: first.error instanceof Error ? first.error.message : "",
        });
      }
      onSelect(failed.map(({ id }) => id));
      setConfirming(null);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["organization", orgId, "runs"] }),
  });
  const compare = async () => {
    const [one = "", other = ""] = selected.map((run) => run.workflow_instance_id);
    // The entry of the list keeps the selection for the Back button of the browser.
    await navigate(
      { search },
      { replace: true, state: selectionState([one, other]), preventScrollReset: true },
    );
    await navigate(comparisonPath(orgId, one, other, search));
  };
  return (
    <>
      <Group className={classes.selection} gap="xs" role="toolbar" aria-label="Selected runs">
        <Text size="sm" fw={600} aria-live="polite">
          {selected.length} selected
        </Text>
        <Button size="xs" disabled={selected.length !== 2} onClick={() => void compare()}>
          {selected.length === 1
            ? "Select one more to compare"
            : selected.length === 2
              ? "Compare"
              : "Select two to compare"}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={finished.length === 0}
          onClick={() => setConfirming("rerun")}
        >
          {finished.length === 0 ? "Run again…" : `Run ${finished.length} again…`}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={active.length === 0}
          onClick={() => setConfirming("cancel")}
        >
          {active.length === 0 ? "Cancel" : `Cancel ${count(active.length)}`}
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={() => onSelect([])}>
          Clear selection
        </Button>
      </Group>
      <ConfirmDialog
        opened={confirming === "cancel"}
        title={`Cancel ${count(active.length)}?`}
        action={`Cancel ${count(active.length)}`}
        dismissLabel="Keep running"
        mutation={cancel}
        onConfirm={() => cancel.mutate()}
        onClose={() => setConfirming(null)}
      >
        <Text size="sm">
          Running tasks will be stopped and their results discarded. A stopped run can’t be resumed.
          {active.length < selected.length &&
            ` ${count(selected.length - active.length)} of the selection ${selected.length - active.length === 1 ? "has" : "have"} already finished.`}
        </Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={confirming === "rerun"}
        title={`Run ${count(finished.length)} again?`}
        action={`Run ${finished.length} again`}
        harmless
        mutation={runAgain}
        onConfirm={() => runAgain.mutate()}
        onClose={() => setConfirming(null)}
      >
        <Text size="sm">
          Starts {finished.length === 1 ? "a new run" : "new runs"} from the beginning, with the same input
          and version. Their tasks send messages and call tools again.
        </Text>
      </ConfirmDialog>
    </>
  );
}

const count = (runs: number) => (runs === 1 ? "1 run" : `${runs} runs`);
