import { Modal } from "@mantine/core";
import { useForm } from "@mantine/form";
import { SecondaryButton } from "../../components/variants";
import { AssigneePicker, type Assignee } from "../../components/AssigneePicker";
import { Form } from "../../components/Form";

interface Props {
  title: string;
  mutation: {
    isPending: boolean;
    error: unknown;
    mutate: (to: Assignee, options: { onError: (error: unknown) => void }) => void;
  };
  opened: boolean;
  onClose: () => void;
}

/** Asks for a person or a team. */
export function ReassignDialog({ title, mutation, opened, onClose }: Props) {
  const form = useForm({ initialValues: { assignee: null as Assignee | null } });
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Form
        form={form}
        mutation={{
          ...mutation,
          mutate: ({ assignee }, options) => assignee && mutation.mutate(assignee, options),
        }}
        action="Reassign"
        button={{ disabled: form.values.assignee === null }}
        secondaryAction={<SecondaryButton onClick={onClose}>Cancel</SecondaryButton>}
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
