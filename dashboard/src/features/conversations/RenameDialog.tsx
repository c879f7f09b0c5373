import { Modal, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRenameConversation } from "../../api";
import { Form } from "../../components/Form";
import { truncate } from "../../components/truncate";

interface Props {
  conversation: { id: string };
  /** The title that is shown, also if it is the first message. */
  title: string;
  onClose: () => void;
}

const MAX_LENGTH = 200;

/** Changes the title of a conversation; an empty one removes it. */
export function RenameDialog({ conversation: { id }, title, onClose }: Props) {
  const form = useForm({ initialValues: { title: truncate(title, MAX_LENGTH) } });
  const rename = useRenameConversation(id, onClose);
  return (
    <Modal opened onClose={onClose} title="Rename conversation">
      <Form form={form} mutation={rename} action="Rename">
        <TextInput
          label="Title"
          description="Leave empty to use the first message"
          maxLength={MAX_LENGTH}
          data-autofocus
          {...form.getInputProps("title")}
        />
      </Form>
    </Modal>
  );
}
