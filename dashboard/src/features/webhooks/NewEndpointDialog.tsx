import { Checkbox, Modal, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";
import { Form } from "../../components/Form";
import { queryClient } from "../../queryClient";
import { EVENT_TYPES } from "./eventTypes";

interface Props {
  orgId: string;
  opened: boolean;
  onClose: () => void;
}

export function NewEndpointDialog(props: Props) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Add endpoint">
      <Fields {...props} />
    </Modal>
  );
}

function Fields({ orgId, onClose }: Props) {
  const form = useForm({
    initialValues: { url: "", description: "", event_types: [...EVENT_TYPES] as string[] },
  });
  const create = useMutation({
    mutationFn: ({ url, description, event_types }: typeof form.values) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/webhook-endpoints", {
          params: { path: { orgId } },
          body: { url: url.trim(), event_types, description: description.trim() },
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "webhook-endpoints"] });
      onClose();
    },
  });
  return (
    <Form form={form} mutation={create} action="Add endpoint">
      <TextInput
        label="URL"
        placeholder="https://example.com/hooks"
        required
        data-autofocus
        {...form.getInputProps("url")}
      />
      <TextInput label="Description" {...form.getInputProps("description")} />
      <Checkbox.Group label="Events" {...form.getInputProps("event_types")}>
        <Stack gap="xs" mt="xs">
          {EVENT_TYPES.map((type) => (
            <Checkbox key={type} value={type} label={type} />
          ))}
        </Stack>
      </Checkbox.Group>
    </Form>
  );
}
