import { Button, Text, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { EntryModal } from "../../components/EntryModal";
import { Form } from "../../components/Form";

interface Props {
  title: string;
  mutation: {
    isPending: boolean;
    error: unknown;
    mutate: (values: { reason: string }, options: { onError: (error: unknown) => void }) => void;
  };
  onClose: () => void;
}

/** Asks for one reason for all selected tickets. */
export function BulkRejectDialog({ title, mutation, onClose }: Props) {
  const form = useForm({ initialValues: { reason: "" } });
  return (
    <EntryModal opened onClose={onClose} title={title}>
      <Form
        form={form}
        mutation={{
          ...mutation,
          mutate: ({ reason }, options) => mutation.mutate({ reason: reason.trim() }, options),
        }}
        action="Reject"
        button={{ color: "red.9" }}
        secondaryAction={
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <Text size="sm" c="dimmed">
          Rejecting isn’t an answer: each task fails with this reason. Its run fails, too, unless the agent is
          set up to continue.
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
