import { Modal, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { Form } from "../../components/Form";
import { queryClient } from "../../queryClient";

interface Props {
  orgId: string;
  /** Null closes the dialog. */
  of: Schemas["ApiKey"] | null;
  onClose: () => void;
}

export function RenameKeyDialog({ orgId, of, onClose }: Props) {
  return (
    <Modal opened={of !== null} onClose={onClose} title="Rename API key">
      {of && <Fields key={of.id} orgId={orgId} of={of} onClose={onClose} />}
    </Modal>
  );
}

function Fields({ orgId, of, onClose }: Props & { of: Schemas["ApiKey"] }) {
  const form = useForm({ initialValues: { name: of.name } });
  const rename = useMutation({
    mutationFn: ({ name }: typeof form.values) =>
      unwrap(
        api.PATCH("/dashboard/api/organizations/{orgId}/api-keys/{keyId}", {
          params: { path: { orgId, keyId: of.id } },
          body: { name: name.trim() },
        }),
      ),
    onSuccess: async ({ name }) => {
      notifications.show({ message: `API key renamed to “${name}”.` });
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "api-keys"] });
      onClose();
    },
  });
  return (
    <Form form={form} mutation={rename} action="Rename">
      <TextInput label="Name" required maxLength={100} data-autofocus {...form.getInputProps("name")} />
    </Form>
  );
}
