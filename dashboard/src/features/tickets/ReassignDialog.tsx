import { Button, Modal } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
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
  const form = useForm({ initialValues: { assignee: null as Assignee | null } });
  const refresh = useTicketRefresh(orgId, ticket.id);
  const reassign = useMutation({
    mutationFn: ({ assignee }: typeof form.values) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/tickets/{ticketId}/reassign", {
          params: { path: { orgId, ticketId: ticket.id } },
          body: assignee!,
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
        form={form}
        mutation={reassign}
        action="Reassign"
        button={{ disabled: form.values.assignee === null }}
        secondaryAction={
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <AssigneePicker
          label="Assign to"
          initialFocus
          value={form.values.assignee}
          onChange={(assignee) => form.setFieldValue("assignee", assignee)}
        />
      </Form>
    </Modal>
  );
}
