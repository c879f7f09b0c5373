import {
  DRAFT,
  refreshRun,
  useOrganizationId,
  useRejectTicket,
  useVersionDocument,
  type Schemas,
} from "../../api";
import { EntryModal } from "../../components/EntryModal";
import { ReasonForm } from "./ReasonForm";
import { rejectionEffect } from "./rejection";
import { useTicketRefresh } from "./useTicketRefresh";

interface Props {
  ticket: Schemas["TicketDetails"];
  opened: boolean;
  onClose: () => void;
  onDone: (message: string) => void;
}

export function RejectDialog({ ticket, opened, onClose, onDone }: Props) {
  const orgId = useOrganizationId();
  const isException = ticket.rule_type === "Exception";
  const refresh = useTicketRefresh();
  const policy = useErrorPolicy(ticket, opened);
  const isQuestion = !isException && !ticket.tool_call;
  const hasYesNo = isQuestion && ticket.form.some(({ type }) => type === "BOOLEAN");
  const reject = useRejectTicket(ticket.id, {
    onSuccess: (changed) => {
      void refresh(changed);
      void refreshRun(orgId, ticket.workflow_instance_id);
      onClose();
      onDone(
        isException
          ? `Ticket #${ticket.number} rejected. The run fails.`
          : `Ticket #${ticket.number} rejected.`,
      );
    },
  });
  return (
    <EntryModal
      opened={opened}
      onClose={onClose}
      title={
        isException
          ? "Fail the run?"
          : isQuestion
            ? `Reject ticket #${ticket.number} without an answer?`
            : `Reject the call in ticket #${ticket.number}?`
      }
    >
      <ReasonForm
        mutation={reject}
        action={isException ? "Fail the run" : isQuestion ? "Reject ticket" : "Reject call"}
        onCancel={onClose}
      >
        {rejectionEffect(ticket, policy)}
        {hasYesNo && " To answer “No”, cancel and choose No in the form."}
      </ReasonForm>
    </EntryModal>
  );
}

/** The error policy of the ticket's task; undefined until it is known. */
function useErrorPolicy(ticket: Schemas["TicketDetails"], opened: boolean) {
  // Test runs of a draft have version 0.
  const version = ticket.workflow_version === 0 ? DRAFT : String(ticket.workflow_version);
  const { data } = useVersionDocument(ticket.workflow_id, version, opened);
  const tasks = (data?.tasks ?? []) as { id: string; error_policy?: string | null }[];
  const task = tasks.find(({ id }) => id === ticket.task_id);
  return task && (task.error_policy ?? null);
}
