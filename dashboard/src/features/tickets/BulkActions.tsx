import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import type { Assignee } from "../../components/AssigneePicker";
import { ErrorNotice } from "../../components/ErrorNotice";
import { focusTicket } from "./ticketFocus";
import { BulkRejectDialog } from "./BulkRejectDialog";
import { ReassignDialog } from "./ReassignDialog";
import { refreshTicketLists } from "./useTicketRefresh";
import classes from "./tickets.module.css";

/** The most tickets that one request may change. */
export const MAX_SELECTED = 100;

interface Props {
  orgId: string;
  selected: Schemas["TicketSummary"][];
  /** Replaces the selection. */
  onSelect: (ids: string[]) => void;
}

type Change =
  | { action: "claim" | "release" }
  | { action: "reassign"; to: Assignee }
  | { action: "reject"; reason: string };

const DONE = { claim: "claimed", release: "released", reassign: "reassigned", reject: "rejected" };

/** Changes the selected tickets. Those that could not be changed stay selected. */
export function BulkActions({ orgId, selected, onSelect }: Props) {
  const [dialog, setDialog] = useState<"reassign" | "reject" | null>(null);
  const ticket_ids = selected.map(({ id }) => id);
  const params = { path: { orgId } };
  const change = useMutation({
    mutationFn: (wanted: Change) => {
      switch (wanted.action) {
        case "reassign":
          return unwrap(
            api.POST("/dashboard/api/organizations/{orgId}/tickets/reassign", {
              params,
              body: { ticket_ids, ...wanted.to },
            }),
          );
        case "reject":
          return unwrap(
            api.POST("/dashboard/api/organizations/{orgId}/tickets/reject", {
              params,
              body: { ticket_ids, reason: wanted.reason },
            }),
          );
        default:
          return unwrap(
            api.POST(`/dashboard/api/organizations/{orgId}/tickets/${wanted.action}`, {
              params,
              body: { ticket_ids },
            }),
          );
      }
    },
    onSuccess: ({ results }, { action }) => {
      const failed = results.filter(({ succeeded }) => !succeeded);
      const done = results.length - failed.length;
      const numbers = new Map(selected.map(({ id, number }) => [id, number]));
      if (done > 0) {
        notifications.show({ message: `${count(done)} ${DONE[action]}.` });
      }
      for (const { ticket_id, detail } of failed.slice(0, 3)) {
        notifications.show({ color: "red", message: `#${numbers.get(ticket_id)}: ${detail}` });
      }
      if (failed.length > 3) {
        notifications.show({
          color: "red",
          message: `${count(failed.length - 3)} more couldn’t be changed.`,
        });
      }
      onSelect(failed.map(({ ticket_id }) => ticket_id));
      setDialog(null);
      if (failed.length === 0) {
        // The buttons disappear with the selection.
        focusTicket(results[0]?.ticket_id);
      }
    },
    onSettled: () => refreshTicketLists(orgId),
  });
  const working = (action: Change["action"]) => change.isPending && change.variables?.action === action;
  return (
    <>
      <Group className={`${classes.bar} screenOnly`} gap="xs" role="toolbar" aria-label="Selected tickets">
        <Text size="sm" fw={600} aria-live="polite">
          {selected.length} selected
        </Text>
        <Button size="xs" loading={working("claim")} onClick={() => change.mutate({ action: "claim" })}>
          Claim {count(selected.length)}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={selected.every(({ claimed_by }) => claimed_by === null)}
          loading={working("release")}
          onClick={() => change.mutate({ action: "release" })}
        >
          Release
        </Button>
        <Button size="xs" variant="default" onClick={() => setDialog("reassign")}>
          Reassign
        </Button>
        <Button size="xs" variant="default" onClick={() => setDialog("reject")}>
          Reject
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={() => onSelect([])}>
          Clear selection
        </Button>
      </Group>
      {dialog === null && <ErrorNotice error={change.error} />}
      <ReassignDialog
        title={`Reassign ${count(selected.length)}`}
        mutation={{ ...change, mutate: (to, options) => change.mutate({ action: "reassign", to }, options) }}
        opened={dialog === "reassign"}
        onClose={() => setDialog(null)}
      />
      {dialog === "reject" && (
        <BulkRejectDialog
          title={`Reject ${count(selected.length)}?`}
          mutation={{
            ...change,
            mutate: ({ reason }, options) => change.mutate({ action: "reject", reason }, options),
          }}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}

const count = (tickets: number) => (tickets === 1 ? "1 ticket" : `${tickets} tickets`);
