import { Button, Modal } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { Form } from "../../components/Form";
import { AssigneePicker, type Assignee } from "../../components/AssigneePicker";
import { useTicketRefresh } from "./useTicketRefresh";

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
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/tickets/{ticketId}/reassign", {
          params: { path: { orgId, ticketId: ticket.id } },
          body: to,
        }),
      ),
    onSuccess: (changed) => {
      void refresh(changed);
      onClose();
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title={`Reassign ticket #${ticket.number}`}>
      <Form
        mutation={reassign}
        onSubmit={() => chosen && reassign.mutate(chosen)}
        action="Reassign"
        button={{ disabled: chosen === null }}
        secondaryAction={
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <AssigneePicker label="Assign to" initialFocus value={chosen} onChange={setChosen} />
      </Form>
    </Modal>
  );
}
