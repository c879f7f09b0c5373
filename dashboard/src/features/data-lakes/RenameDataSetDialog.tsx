import { Modal, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDataLakes, useRenameDataLake, type Schemas } from "../../api";
import { nameError } from "../../components/nameError";
import { Form } from "../../components/Form";

interface Props {
  lake: Schemas["DataLake"];
  opened: boolean;
  onClose: () => void;
}

/** Changes the name of a data set. Agents know it by its ID, so they keep reading it. */
export function RenameDataSetDialog({ lake, opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Rename “${lake.name}”`}>
      <RenameForm lake={lake} onDone={onClose} />
    </Modal>
  );
}

function RenameForm({ lake, onDone }: Pick<Props, "lake"> & { onDone: () => void }) {
  const form = useForm({ initialValues: { name: lake.name } });
  const taken = nameError(useDataLakes().data, form.values.name, lake.id);
  const rename = useRenameDataLake(lake.id, {
    done: ({ name }) => `Renamed to “${name}”.`,
    onSuccess: onDone,
  });
  return (
    <Form
      form={form}
      mutation={rename}
      action="Rename"
      button={{ disabled: form.values.name.trim() === lake.name || taken !== undefined }}
    >
      <TextInput
        label="Name"
        required
        withAsterisk={false}
        maxLength={200}
        data-autofocus
        {...form.getInputProps("name")}
        error={taken ?? form.errors.name}
      />
    </Form>
  );
}
