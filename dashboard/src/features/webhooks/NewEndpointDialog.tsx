import { Checkbox, Modal, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client";
import { fieldErrors } from "../../api/problem";
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
  const [url, setUrl] = useState("");
  const [description, setDescription] = useState("");
  const [types, setTypes] = useState<string[]>([...EVENT_TYPES]);
  const create = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/webhook-endpoints", {
          params: { path: { orgId } },
          body: { url: url.trim(), event_types: types, description: description.trim() },
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "webhook-endpoints"] });
      onClose();
    },
  });
  const { at } = fieldErrors(create.error);
  return (
    <Form
      mutation={create}
      onSubmit={() => create.mutate()}
      action="Add endpoint"
      fieldPaths={["/url", "/event_types", "/description"]}
    >
      <TextInput
        label="URL"
        placeholder="https://example.com/hooks"
        required
        data-autofocus
        value={url}
        error={at("/url")}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <TextInput
        label="Description"
        value={description}
        error={at("/description")}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Checkbox.Group label="Events" value={types} error={at("/event_types")} onChange={setTypes}>
        <Stack gap="xs" mt="xs">
          {EVENT_TYPES.map((type) => (
            <Checkbox key={type} value={type} label={type} />
          ))}
        </Stack>
      </Checkbox.Group>
    </Form>
  );
}
