import { Alert, Button, Card, Group, Stack, Text } from "@mantine/core";
import { IconHandGrab, IconLock } from "@tabler/icons-react";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import {
  reassignTicket,
  refetch,
  refreshRun,
  useIsAdmin,
  useMe,
  useOrganizationId,
  useTicketAction,
  type Schemas,
} from "../../api";
import { useActorName } from "../../components/actorNames";
import { CardHeading, SmallButton, SecondaryButton, Dimmed } from "../../components/variants";
import type { Assignee } from "../../components/AssigneePicker";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { CopyButton } from "../../components/CopyButton";
import { ErrorNotice } from "../../components/ErrorNotice";
import { usePrinting } from "../../components/usePrinting";
import { notifyWithUndo } from "../../components/undoNotification";
import { ValueList } from "../../components/ValueList";
import { copyText } from "../../values/draftValues";
import { PrintedForm } from "./PrintedForm";
import { ReassignDialog } from "./ReassignDialog";
import { reassignmentsBack } from "./reassignmentUndo";
import { rejectLabel } from "./rejection";
import { RejectDialog } from "./RejectDialog";
import { TicketForm } from "./TicketForm";
import { isOpen } from "./ticketState";
import { UnsentEntries } from "./UnsentEntries";
import { useAssigneeNames } from "./useAssigneeNames";
import type { FormDraft } from "../../values/useFormDraft";
import { useTicketDraft } from "./useTicketDraft";
import { useTicketRefresh } from "./useTicketRefresh";

interface Props {
  ticket: Schemas["TicketDetails"];
  /** Whether a comment is written, which is posted when the ticket ends. */
  hasComment?: boolean;
  /** Called when the person has ended the ticket, with a sentence on what follows. */
  onDone: (message: string) => void;
}

/** The form and actions of an open ticket, or the answer of a closed one. */
export function TicketWork(props: Props) {
  const { ticket } = props;
  const draft = useTicketDraft(ticket);
  const printing = usePrinting();
  if (isOpen(ticket)) {
    return (
      <>
        <Open {...props} draft={draft} />
        {printing && <PrintedForm ticket={ticket} values={draft.values} />}
      </>
    );
  }
  return (
    <>
      {draft.filled && (
        <UnsentEntries title="Your unsent answer" values={draft.values} onDiscard={draft.clear} />
      )}
      <Answer ticket={ticket} />
    </>
  );
}

/** Claims, releases, takes over, reassigns or retries the ticket. */
function useAction({ ticket, onDone }: Props, draft: FormDraft) {
  const orgId = useOrganizationId();
  const refresh = useTicketRefresh();
  return useTicketAction(ticket.id, {
    onSuccess: (changed, action) => {
      void refresh(changed);
      if (action === "retry") {
        draft.clear();
        void refreshRun(orgId, ticket.workflow_instance_id);
        onDone("Retrying the task.");
      }
    },
    onError: () => refetch(orgId, "tickets"),
  });
}

function Open(props: Props & { draft: FormDraft }) {
  const orgId = useOrganizationId();
  const { ticket, hasComment = false, draft, onDone } = props;
  const [dialog, setDialog] = useState<"reject" | "reassign" | "take over" | null>(null);
  const close = () => setDialog(null);
  const refresh = useTicketRefresh();
  const { data: me } = useMe();
  const isAdmin = useIsAdmin();
  const nameOf = useActorName();
  const act = useAction(props, draft);
  const assign = (to: Assignee) => reassignTicket(orgId, ticket.id, to);
  const assigneeNames = useAssigneeNames();
  const reassign = useMutation({
    mutationFn: assign,
    onMutate: () => ticket,
    onSuccess: (changed, _, before) => {
      const message = `Ticket #${ticket.number} reassigned to ${assigneeNames(changed.assignments)}.`;
      const [back] = reassignmentsBack([before]) ?? [];
      // Other people may no longer see the ticket.
      if (back && isAdmin) {
        notifyWithUndo(message, async () => refresh(await assign(back.to)));
      } else {
        notifications.show({ message });
      }
      void refresh(changed);
      close();
    },
  });
  const isException = ticket.rule_type === "Exception";
  const claimant = ticket.claimed_by ? nameOf(ticket.claimed_by) : null;
  const locked = ticket.claimed_by !== null && me?.id !== undefined && ticket.claimed_by !== me.id;
  useFocusAfterClaim(ticket.claimed_by ?? null, locked);
  return (
    <Card withBorder padding="lg" className="screenOnly" data-commands>
      <Stack>
        <Group justify="space-between">
          <CardHeading>
            {isException
              ? "Retry the task or enter its result"
              : ticket.tool_call
                ? `Approve a call of ${ticket.tool_call.tool_name}`
                : "Your answer"}
          </CardHeading>
          <Group gap="xs" id="claim">
            {ticket.claimed_by === null && (
              <SmallButton
                leftSection={<IconHandGrab size={14} />}
                loading={act.isPending && act.variables === "claim"}
                onClick={() => act.mutate("claim")}
              >
                Claim
              </SmallButton>
            )}
            {ticket.claimed_by !== null && !locked && (
              <SmallButton onClick={() => act.mutate("release")}>Release</SmallButton>
            )}
            {(!locked || isAdmin) && (
              <SmallButton onClick={() => setDialog("reassign")}>Reassign</SmallButton>
            )}
          </Group>
        </Group>
        {locked && <Locked claimant={claimant} draft={draft} onTakeOver={() => setDialog("take over")} />}
        <ErrorNotice error={act.error} />
        <TicketForm
          ticket={ticket}
          draft={draft}
          locked={locked}
          onDone={onDone}
          preferred={
            isException && (
              <Button
                disabled={locked}
                loading={act.isPending && act.variables === "retry"}
                onClick={() => act.mutate("retry")}
              >
                Retry task
              </Button>
            )
          }
        >
          <SecondaryButton disabled={locked} onClick={() => setDialog("reject")}>
            {rejectLabel(ticket)}
          </SecondaryButton>
          {hasComment && <Dimmed>Your comment is posted, too.</Dimmed>}
        </TicketForm>
      </Stack>
      <RejectDialog
        ticket={ticket}
        opened={dialog === "reject"}
        onClose={close}
        onDone={(message) => {
          draft.clear();
          onDone(message);
        }}
      />
      <ReassignDialog
        title={`Reassign ticket #${ticket.number}`}
        mutation={reassign}
        opened={dialog === "reassign"}
        onClose={close}
      />
      <ConfirmDialog
        opened={dialog === "take over"}
        title={`Take over from ${claimant}?`}
        action="Take over"
        harmless
        mutation={act}
        onConfirm={() => act.mutate("take-over", { onSuccess: close })}
        onClose={close}
      >
        The ticket becomes yours, and {claimant} can no longer answer it.
      </ConfirmDialog>
    </Card>
  );
}

interface LockedProps {
  claimant: string | null;
  draft: FormDraft;
  onTakeOver: () => void;
}

/** Says that another person answers the ticket. */
function Locked({ claimant, draft, onTakeOver }: LockedProps) {
  const isAdmin = useIsAdmin();
  return (
    <Alert color="yellow" icon={<IconLock size={18} />} title={`Claimed by ${claimant}`} id="ticket-lock">
      {isAdmin
        ? `Only ${claimant} can answer this ticket now. You can take it over.`
        : `Only ${claimant} can answer this ticket now. You can still comment below.`}
      <Group gap="xs" mt="xs">
        {isAdmin && <SmallButton onClick={onTakeOver}>Take over</SmallButton>}
        {draft.filled && <CopyButton text={copyText(draft.values)} label="Copy your entries" />}
      </Group>
    </Alert>
  );
}

/** After claiming, the focus goes to the form; after releasing, to the button that claims. */
function useFocusAfterClaim(claimedBy: string | null, locked: boolean) {
  const before = useRef(claimedBy);
  useEffect(() => {
    const focused = document.activeElement;
    if (
      before.current !== claimedBy &&
      !locked &&
      (focused === document.body || focused?.closest("#claim"))
    ) {
      const target =
        claimedBy === null ? "#claim button" : "#ticket-form :is(input, textarea, button):enabled";
      document.querySelector<HTMLElement>(target)?.focus();
    }
    before.current = claimedBy;
  }, [claimedBy, locked]);
}

function Answer({ ticket }: { ticket: Schemas["TicketDetails"] }) {
  const answers = Object.entries(ticket.answer ?? {});
  if (answers.length === 0 && !ticket.reason) {
    return null;
  }
  return (
    <Card withBorder>
      <Stack gap="sm">
        <CardHeading>{answers.length > 0 ? "Answer" : "Reason"}</CardHeading>
        {ticket.reason && <Text size="sm">{ticket.reason}</Text>}
        {answers.length > 0 && <ValueList readable values={Object.fromEntries(answers)} />}
      </Stack>
    </Card>
  );
}
