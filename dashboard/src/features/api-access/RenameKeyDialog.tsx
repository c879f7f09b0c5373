import { Modal, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRenameApiKey, type Schemas } from "../../api";
import { Form } from "../../components/Form";

interface Props {
  /** Null closes the dialog. */
  of: Schemas["ApiKey"] | null;
  onClose: () => void;
}

export function RenameKeyDialog({ of, onClose }: Props) {
  return (
    <Modal opened={of !== null} onClose={onClose} title="Rename API key">
      {of && <Fields key={of.id} of={of} onClose={onClose} />}
    </Modal>
  );
}

function Fields({ of, onClose }: Props & { of: Schemas["ApiKey"] }) {
  const form = useForm({ initialValues: { name: of.name } });
  const rename = useRenameApiKey(of.id, {
    done: ({ name }) => `API key renamed to “${name}”.`,
    onSuccess: onClose,
  });
  return (
    <Form form={form} mutation={rename} action="Rename">
      <TextInput label="Name" required maxLength={100} data-autofocus {...form.getInputProps("name")} />
    </Form>
  );
}
