import { Button, Modal, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask, type Schemas } from "../../api/client";
import { faultsOf } from "../../api/problem";
import { Form } from "../../parts/Form";
import { useTicketRefresh } from "./refresh";

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
      ask(
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
        sending={reject}
        onSubmit={() => reject.mutate()}
        action="Reject the ticket"
        shown={["/reason"]}
        button={{ color: "red.9" }}
        beside={
          <Button variant="default" onClick={onClose}>
            Back
          </Button>
        }
      >
        <Text size="sm" c="dimmed">
          The task fails with your reason; what the run does then follows from the task's error policy.
        </Text>
        <Textarea
          label="Reason"
          data-autofocus
          required
          autosize
          minRows={2}
          maxLength={2000}
          value={reason}
          error={faultsOf(reject.error).at("/reason")}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </Form>
    </Modal>
  );
}
