import { Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { api, ask, type Schemas } from "../../api/client";
import { faultsOf } from "../../api/problem";
import { ErrorNotice } from "../../parts/ErrorNotice";
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
      refresh(changed);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reject.mutate();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={`Reject ticket #${ticket.number}?`}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" c="dimmed">
            The task fails with your reason; what the run does then follows from the task's error policy.
          </Text>
          <ErrorNotice error={reject.error} shown={["/reason"]} />
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
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Back
            </Button>
            <Button type="submit" color="red.9" loading={reject.isPending}>
              Reject the ticket
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
