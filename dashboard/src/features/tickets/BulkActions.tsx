import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import type { Assignee } from "../../components/AssigneePicker";
import { useActorName, useIsAdmin } from "../../api/organization";
import { useMe } from "../../api/queries";
import { ErrorNotice } from "../../components/ErrorNotice";
import { notifyWithUndo } from "../../components/undoNotification";
import { focusTicket } from "./ticketFocus";
import { claimedByOthers } from "./claimedByOthers";
import { failureSummary } from "./bulkFailures";
import { BulkRejectDialog } from "./BulkRejectDialog";
import { ReassignDialog } from "./ReassignDialog";
import { reassignmentsBack } from "./reassignmentUndo";
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
  const { data: me } = useMe();
  const isAdmin = useIsAdmin();
  const isMine = ({ claimed_by }: Schemas["TicketSummary"]) => claimed_by === me?.id;
  /** The selected tickets that an action can change. */
  const changeable = {
    claim: selected.filter(({ claimed_by }) => claimed_by === null),
    release: selected.filter((ticket) => ticket.claimed_by !== null && (isAdmin || isMine(ticket))),
    reassign: selected.filter((ticket) => ticket.claimed_by === null || isAdmin || isMine(ticket)),
    reject: selected.filter((ticket) => ticket.claimed_by === null || isMine(ticket)),
  };
  const send = (wanted: Change, ticket_ids: string[]) => {
    const params = { path: { orgId } };
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
  };
  /** The requests that reverse a change exactly; null if there are none. */
  const reversed = (wanted: Change, tickets: Schemas["TicketSummary"][]): [Change, string[]][] | null => {
    const ids = tickets.map(({ id }) => id);
    switch (wanted.action) {
      case "claim":
        return [[{ action: "release" }, ids]];
      case "release":
        return tickets.every(isMine) ? [[{ action: "claim" }, ids]] : null;
      case "reassign":
        // Other people may no longer see the tickets.
        return isAdmin
          ? (reassignmentsBack(tickets)?.map(({ to, ticketIds }) => [
              { action: "reassign", to },
              ticketIds,
            ]) ?? null)
          : null;
      default:
        return null;
    }
  };
  const undo = async (requests: [Change, string[]][], numbers: ReadonlyMap<string, number>) => {
    try {
      const answers = await Promise.all(requests.map(([wanted, ids]) => send(wanted, ids)));
      const failed = answers.flatMap(({ results }) => results.filter(({ succeeded }) => !succeeded));
      if (failed.length > 0) {
        throw new Error(failureSummary(failed, numbers));
      }
    } finally {
      void refreshTicketLists(orgId);
    }
  };
  const change = useMutation({
    mutationFn: (wanted: Change) =>
      send(
        wanted,
        changeable[wanted.action].map(({ id }) => id),
      ),
    // The lists are polled; undoing restores the tickets as they were.
    onMutate: () => selected,
    onSuccess: ({ results }, wanted, before) => {
      const { action } = wanted;
      const failed = results.filter(({ succeeded }) => !succeeded);
      const succeeded = new Set(results.flatMap((each) => (each.succeeded ? [each.ticket_id] : [])));
      const numbers = new Map(before.map(({ id, number }) => [id, number]));
      if (succeeded.size > 0) {
        const message = `${count(succeeded.size)} ${DONE[action]}.`;
        const requests = reversed(
          wanted,
          before.filter(({ id }) => succeeded.has(id)),
        );
        if (requests) {
          notifyWithUndo(message, () => undo(requests, numbers));
        } else {
          notifications.show({ message });
        }
      }
      if (failed.length > 0) {
        notifications.show({
          color: "red",
          title: `${count(failed.length)} not ${DONE[action]}`,
          message: failureSummary(failed, numbers),
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
  /** The action with the tickets that it changes. */
  const label = (action: string, [first, ...more]: Schemas["TicketSummary"][]) =>
    first ? `${action} ${more.length === 0 ? `#${first.number}` : count(more.length + 1)}` : action;
  const nameOf = useActorName();
  const foreign = selected.filter((ticket) => ticket.claimed_by !== null && !isMine(ticket));
  return (
    <>
      <Group className={`${classes.bar} screenOnly`} gap="xs" role="toolbar" aria-label="Selected tickets">
        <Text size="sm" fw={600} aria-live="polite">
          {selected.length} selected
        </Text>
        <Button
          size="xs"
          disabled={changeable.claim.length === 0}
          title={changeable.claim.length === 0 ? "The selected tickets are already claimed." : undefined}
          loading={working("claim")}
          onClick={() => change.mutate({ action: "claim" })}
        >
          {label("Claim", changeable.claim)}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={changeable.release.length === 0}
          loading={working("release")}
          onClick={() => change.mutate({ action: "release" })}
        >
          {label("Release", changeable.release)}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={changeable.reassign.length === 0}
          onClick={() => setDialog("reassign")}
        >
          {label("Reassign", changeable.reassign)}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={changeable.reject.length === 0}
          onClick={() => setDialog("reject")}
        >
          {label("Reject", changeable.reject)}
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={() => onSelect([])}>
          Clear selection
        </Button>
        {foreign.length > 0 && (
          <Text size="sm" c="dimmed">
            {claimedByOthers(foreign, nameOf)}
          </Text>
        )}
      </Group>
      {dialog === null && <ErrorNotice error={change.error} />}
      <ReassignDialog
        title={`Reassign ${count(changeable.reassign.length)}`}
        mutation={{ ...change, mutate: (to, options) => change.mutate({ action: "reassign", to }, options) }}
        opened={dialog === "reassign"}
        onClose={() => setDialog(null)}
      />
      {dialog === "reject" && (
        <BulkRejectDialog
          title={`Reject ${count(changeable.reject.length)}?`}
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
