import { Button, Modal, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { fieldErrors } from "../../api/problem";
import { Form } from "../../components/Form";
import { useTicketRefresh } from "./useTicketRefresh";

interface Props {
  orgId: string;
  ticket: Schemas["TicketDetails"];
  opened: boolean;
  onClose: () => void;
}

export function RejectDialog({ orgId, ticket, opened, onClose }: Props) {
  const [reason, setReason] = useState("");
  const refresh = useTicketRefresh(orgId, ticket.id);
  const reject = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/tickets/{ticketId}/reject", {
          params: { path: { orgId, ticketId: ticket.id } },
          body: { reason: reason.trim() },
        }),
      ),
    onSuccess: (changed) => {
      void refresh(changed);
      onClose();
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title={`Reject ticket #${ticket.number}?`}>
      <Form
        mutation={reject}
        onSubmit={() => reject.mutate()}
        action="Reject ticket"
        fieldPaths={["/reason"]}
        button={{ color: "red.9" }}
        secondaryAction={
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <Text size="sm" c="dimmed">
          The task fails with this reason. What happens next depends on the task’s error policy.
        </Text>
        <Textarea
          label="Reason"
          data-autofocus
          required
          autosize
          minRows={2}
          maxLength={2000}
          value={reason}
          error={fieldErrors(reject.error).at("/reason")}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </Form>
    </Modal>
  );
}
