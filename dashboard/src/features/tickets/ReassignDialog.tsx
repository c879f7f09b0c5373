import { Button, Group, Modal, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { api, ask, type Schemas } from "../../api/client";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { AssigneePicker, type Assignee } from "../../parts/AssigneePicker";
import { useTicketRefresh } from "./refresh";

interface Props {
  orgId: string;
  ticket: Schemas["TicketDetails"];
  opened: boolean;
  onClose: () => void;
}

export function ReassignDialog({ orgId, ticket, opened, onClose }: Props) {
  const [chosen, setChosen] = useState<Assignee | null>(null);
  const refresh = useTicketRefresh(orgId, ticket.id);
  const reassign = useMutation({
    mutationFn: (to: Assignee) =>
      ask(
        api.POST("/dashboard/api/organizations/{orgId}/tickets/{ticketId}/reassign", {
          params: { path: { orgId, ticketId: ticket.id } },
          body: to,
        }),
      ),
    onSuccess: (changed) => {
      refresh(changed);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen) {
      reassign.mutate(chosen);
    }
  };
  return (
    <Modal opened={opened} onClose={onClose} title={`Reassign ticket #${ticket.number}`}>
      <form onSubmit={submit}>
        <Stack>
          <ErrorNotice error={reassign.error} />
          <AssigneePicker label="To" value={chosen} onChange={setChosen} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Back
            </Button>
            <Button type="submit" disabled={chosen === null} loading={reassign.isPending}>
              Reassign
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
