import { Modal, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { useDataLakes } from "../../api/queries";
import { nameError } from "../../components/nameError";
import { Form } from "../../components/Form";
import { queryClient } from "../../queryClient";

interface Props {
  orgId: string;
  lake: Schemas["DataLake"];
  opened: boolean;
  onClose: () => void;
}

/** Changes the name of a data set. Agents know it by its ID, so they keep reading it. */
export function RenameDataSetDialog({ lake, opened, onClose, orgId }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Rename “${lake.name}”`}>
      <RenameForm orgId={orgId} lake={lake} onDone={onClose} />
    </Modal>
  );
}

function RenameForm({ orgId, lake, onDone }: Pick<Props, "orgId" | "lake"> & { onDone: () => void }) {
  const form = useForm({ initialValues: { name: lake.name } });
  const taken = nameError(useDataLakes(orgId).data, form.values.name, lake.id);
  const rename = useMutation({
    mutationFn: ({ name }: { name: string }) =>
      unwrap(
        api.PATCH("/dashboard/api/organizations/{orgId}/data-lakes/{lakeId}", {
          params: { path: { orgId, lakeId: lake.id } },
          body: { name: name.trim() },
        }),
      ),
    onSuccess: async ({ name }) => {
      notifications.show({ message: `Renamed to “${name}”.` });
      onDone();
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "data-lakes"] });
    },
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
