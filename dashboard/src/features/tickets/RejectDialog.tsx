import { Button, Modal, Text, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { Form } from "../../components/Form";
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
      onClose();
      onDone(
        isException
          ? `Ticket #${ticket.number} rejected: the task stays failed.`
          : `Ticket #${ticket.number} rejected.`,
      );
    },
  });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={isException ? "Fail the run?" : `Reject ticket #${ticket.number}?`}
    >
      <Form
        form={form}
        mutation={reject}
        action={isException ? "Fail the run" : "Reject ticket"}
        button={{ color: "red.9" }}
        secondaryAction={
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <Text size="sm" c="dimmed">
          {isException
            ? "The run stops with the task’s error. This can’t be undone."
            : ticket.tool_call
              ? "The call isn’t made. The model gets this reason, and the run continues."
              : "The task fails with this reason. What happens next depends on the task’s error policy."}
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
    </Modal>
  );
}
