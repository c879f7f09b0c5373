import { Modal, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";
import { Form } from "../../components/Form";
import { truncate } from "../../components/truncate";
import { queryClient } from "../../queryClient";

interface Props {
  orgId: string;
  conversation: { id: string };
  /** The title that is shown, also if it is the first message. */
  title: string;
  onClose: () => void;
}

const MAX_LENGTH = 200;

/** Changes the title of a conversation; an empty one removes it. */
export function RenameDialog({ orgId, conversation: { id }, title, onClose }: Props) {
  const form = useForm({ initialValues: { title: truncate(title, MAX_LENGTH) } });
  const rename = useMutation({
    mutationFn: (values: typeof form.values) =>
      unwrap(
        api.PATCH("/dashboard/api/organizations/{orgId}/conversations/{conversationId}", {
          params: { path: { orgId, conversationId: id } },
          body: { title: values.title.trim() || null },
        }),
      ),
    onSuccess: async (changed) => {
      queryClient.setQueryData(["organization", orgId, "conversation", id], changed);
      onClose();
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "conversations"] });
    },
  });
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
