import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import {
  changeTickets,
  refreshTicketLists,
  useIsAdmin,
  useMe,
  useOrganizationId,
  type BulkChange,
  type Schemas,
} from "../../api";
import { useActorName } from "../../components/actorNames";
import { Strong, SmallButton, Dimmed, QuietButton } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { notifyWithUndo } from "../../components/undoNotification";
import { focusTicket } from "./ticketFocus";
import { claimedByOthers } from "./claimedByOthers";
import { failureSummary } from "./bulkFailures";
import { EntryModal } from "../../components/EntryModal";
import { counted } from "../../components/counted";
import { ReasonForm } from "./ReasonForm";
import { ReassignDialog } from "./ReassignDialog";
import { reassignmentsBack } from "./reassignmentUndo";
import classes from "./tickets.module.css";

/** The most tickets that one request may change. */
export const MAX_SELECTED = 100;

interface Props {
  selected: Schemas["TicketSummary"][];
  /** Replaces the selection. */
  onSelect: (ids: string[]) => void;
}

const DONE = { claim: "claimed", release: "released", reassign: "reassigned", reject: "rejected" };

/** The change of the selected tickets, with those that each action can change. */
function useBulkChange({ selected, onSelect }: Props, onDone: () => void) {
  const orgId = useOrganizationId();
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
  /** The requests that reverse a change exactly; null if there are none. */
  const reversed = (
    wanted: BulkChange,
    tickets: Schemas["TicketSummary"][],
  ): [BulkChange, string[]][] | null => {
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
  const undo = async (requests: [BulkChange, string[]][], numbers: ReadonlyMap<string, number>) => {
    try {
      const answers = await Promise.all(requests.map(([wanted, ids]) => changeTickets(orgId, wanted, ids)));
      const failed = answers.flatMap(({ results }) => results.filter(({ succeeded }) => !succeeded));
      if (failed.length > 0) {
        throw new Error(failureSummary(failed, numbers));
      }
    } finally {
      void refreshTicketLists(orgId);
    }
  };
  const change = useMutation({
    mutationFn: (wanted: BulkChange) =>
      changeTickets(
        orgId,
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
      onDone();
      if (failed.length === 0) {
        // The buttons disappear with the selection.
        focusTicket(results[0]?.ticket_id);
      }
    },
    onSettled: () => refreshTicketLists(orgId),
  });
  return { change, changeable, isMine };
}

/** Changes the selected tickets. Those that could not be changed stay selected. */
export function BulkActions({ selected, onSelect }: Props) {
  const [dialog, setDialog] = useState<"reassign" | "reject" | null>(null);
  const { change, changeable, isMine } = useBulkChange({ selected, onSelect }, () => setDialog(null));
  const working = (action: BulkChange["action"]) => change.isPending && change.variables?.action === action;
  /** The action with the tickets that it changes. */
  const label = (action: string, [first, ...more]: Schemas["TicketSummary"][]) =>
    first ? `${action} ${more.length === 0 ? `#${first.number}` : count(more.length + 1)}` : action;
  const nameOf = useActorName();
  const foreign = selected.filter((ticket) => ticket.claimed_by !== null && !isMine(ticket));
  return (
    <>
      <Group className={`${classes.bar} screenOnly`} gap="xs" role="toolbar" aria-label="Selected tickets">
        <Strong aria-live="polite">{selected.length} selected</Strong>
        <Button
          size="xs"
          disabled={changeable.claim.length === 0}
          title={changeable.claim.length === 0 ? "The selected tickets are already claimed." : undefined}
          loading={working("claim")}
          onClick={() => change.mutate({ action: "claim" })}
        >
          {label("Claim", changeable.claim)}
        </Button>
        <SmallButton
          disabled={changeable.release.length === 0}
          loading={working("release")}
          onClick={() => change.mutate({ action: "release" })}
        >
          {label("Release", changeable.release)}
        </SmallButton>
        <SmallButton disabled={changeable.reassign.length === 0} onClick={() => setDialog("reassign")}>
          {label("Reassign", changeable.reassign)}
        </SmallButton>
        <SmallButton disabled={changeable.reject.length === 0} onClick={() => setDialog("reject")}>
          {label("Reject", changeable.reject)}
        </SmallButton>
        <QuietButton size="xs" onClick={() => onSelect([])}>
          Clear selection
        </QuietButton>
        {foreign.length > 0 && <Dimmed>{claimedByOthers(foreign, nameOf)}</Dimmed>}
      </Group>
      {dialog === null && <ErrorNotice error={change.error} />}
      <ReassignDialog
        title={`Reassign ${count(changeable.reassign.length)}`}
        mutation={{ ...change, mutate: (to, options) => change.mutate({ action: "reassign", to }, options) }}
        opened={dialog === "reassign"}
        onClose={() => setDialog(null)}
      />
      {dialog === "reject" && (
        <EntryModal
          opened
          onClose={() => setDialog(null)}
          title={`Reject ${count(changeable.reject.length)}?`}
        >
          <ReasonForm
            mutation={{
              ...change,
              mutate: ({ reason }, options) =>
                change.mutate({ action: "reject", reason: reason.trim() }, options),
            }}
            action="Reject"
            onCancel={() => setDialog(null)}
          >
            Rejecting isn’t an answer: each task fails with this reason. Its run fails, too, unless the agent
            is set up to continue.
          </ReasonForm>
        </EntryModal>
      )}
    </>
  );
}

const count = (tickets: number) => counted(tickets, "ticket");
