import { Button, Text, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { EntryModal } from "../../components/EntryModal";
import { Form } from "../../components/Form";
import { queryClient } from "../../queryClient";
import { DRAFT, useVersionDocument } from "../agents/useVersionDocument";
import { rejectionEffect } from "./rejection";
import { useTicketRefresh } from "./useTicketRefresh";

interface Props {
  orgId: string;
  ticket: Schemas["TicketDetails"];
  opened: boolean;
  onClose: () => void;
  onDone: (message: string) => void;
}

export function RejectDialog({ orgId, ticket, opened, onClose, onDone }: Props) {
  const isException = ticket.rule_type === "Exception";
  const form = useForm({ initialValues: { reason: "" } });
  const refresh = useTicketRefresh(orgId, ticket.id);
  const policy = useErrorPolicy(orgId, ticket, opened);
  const isQuestion = !isException && !ticket.tool_call;
  const hasYesNo = isQuestion && ticket.form.some(({ type }) => type === "BOOLEAN");
  const reject = useMutation({
    mutationFn: ({ reason }: typeof form.values) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/tickets/{ticketId}/reject", {
          params: { path: { orgId, ticketId: ticket.id } },
          body: { reason: reason.trim() },
        }),
      ),
    onSuccess: (changed) => {
      void refresh(changed);
      void queryClient.invalidateQueries({
        queryKey: ["organization", orgId, "run", ticket.workflow_instance_id],
      });
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
      <Form
        form={form}
        mutation={reject}
        action={isException ? "Fail the run" : isQuestion ? "Reject ticket" : "Reject call"}
        button={{ color: "red.9" }}
        secondaryAction={
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <Text size="sm" c="dimmed">
          {rejectionEffect(ticket, policy)}
          {hasYesNo && " To answer “No”, cancel and choose No in the form."}
        </Text>
        <Textarea
          label="Reason"
          data-autofocus
          required
          autosize
          minRows={2}
          maxLength={2000}
          {...form.getInputProps("reason")}
        />
      </Form>
    </EntryModal>
  );
}

/** The error policy of the ticket's task; undefined until it is known. */
function useErrorPolicy(orgId: string, ticket: Schemas["TicketDetails"], opened: boolean) {
  // Test runs of a draft have version 0.
  const version = ticket.workflow_version === 0 ? DRAFT : String(ticket.workflow_version);
  const { data } = useVersionDocument(orgId, ticket.workflow_id, version, opened);
  const tasks = (data?.tasks ?? []) as { id: string; error_policy?: string | null }[];
  const task = tasks.find(({ id }) => id === ticket.task_id);
  return task && (task.error_policy ?? null);
}
