import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { cancelRuns, isFinished, refetch, rerun, useOrganizationId, type Schemas } from "../../api";
import { Strong, SmallButton, QuietButton } from "../../components/variants";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { counted } from "../../components/counted";
import { comparisonPath } from "./runFilters";
import { selectionState } from "./selectionState";
import classes from "./runs.module.css";

/** The most runs that one request may cancel, and that are run again at once. */
export const MAX_SELECTED = 100;

interface Props {
  selected: Schemas["WorkflowInstanceSummary"][];
  /** Replaces the selection. */
  onSelect: (ids: string[]) => void;
}

/** Compares two selected runs, runs finished ones again, or cancels those that have not finished. */
export function SelectionBar({ selected, onSelect }: Props) {
  const orgId = useOrganizationId();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [confirming, setConfirming] = useState<"cancel" | "rerun" | null>(null);
  const active = selected.filter((run) => !isFinished(run.status));
  /** Says how many runs were changed, and keeps the others selected. */
  const show = (total: number, failed: { id: string; reason: string }[], changed: string) => {
    if (total > failed.length) {
      notifications.show({ message: `${count(total - failed.length)} ${changed}.` });
    }
    if (failed[0]) {
      const title = `${count(failed.length)} couldn’t be ${changed}`;
      notifications.show({ color: "red", title, message: failed[0].reason });
    }
    onSelect(failed.map(({ id }) => id));
    setConfirming(null);
  };
  const onSettled = () => refetch(orgId, "runs");
  const cancel = useMutation({
    mutationFn: () =>
      cancelRuns(
        orgId,
        active.map((run) => run.workflow_instance_id),
      ),
    onSuccess: ({ results }) => {
      const failed = results.filter((each) => !each.succeeded);
      show(
        results.length,
        failed.map(({ workflow_instance_id: id, detail }) => ({ id, reason: detail ?? "" })),
        "cancelled",
      );
    },
    onSettled,
  });
  const finished = selected.filter((run) => isFinished(run.status));
  const runAgain = useMutation({
    mutationFn: async () => {
      const failed: { id: string; reason: string }[] = [];
      for (const { workflow_instance_id: id } of finished) {
        try {
          // One at a time, so that a long selection doesn't exceed the limit of running instances at once.
          // oxlint-disable-next-line no-await-in-loop
          await rerun(orgId, id);
        } catch (error) {
          failed.push({ id, reason: error instanceof Error ? error.message : "" });
        }
      }
      return failed;
    },
    onSuccess: (failed) => show(finished.length, failed, "started"),
    onSettled,
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
        <Strong aria-live="polite">{selected.length} selected</Strong>
        <Button size="xs" disabled={selected.length !== 2} onClick={() => void compare()}>
          {selected.length === 1
            ? "Select one more to compare"
            : selected.length === 2
              ? "Compare"
              : "Select two to compare"}
        </Button>
        <SmallButton disabled={finished.length === 0} onClick={() => setConfirming("rerun")}>
          {finished.length === 0 ? "Run again…" : `Run ${finished.length} again…`}
        </SmallButton>
        <SmallButton disabled={active.length === 0} onClick={() => setConfirming("cancel")}>
          {active.length === 0 ? "Cancel" : `Cancel ${count(active.length)}`}
        </SmallButton>
        <QuietButton size="xs" onClick={() => onSelect([])}>
          Clear selection
        </QuietButton>
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
        Running tasks will be stopped and their results discarded. A stopped run can’t be resumed.
        {active.length < selected.length &&
          ` ${count(selected.length - active.length)} of the selection ${selected.length - active.length === 1 ? "has" : "have"} already finished.`}
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
        Starts {finished.length === 1 ? "a new run" : "new runs"} from the beginning, with the same input and
        version. Their tasks send messages and call tools again.
      </ConfirmDialog>
    </>
  );
}

const count = (runs: number) => counted(runs, "run");
