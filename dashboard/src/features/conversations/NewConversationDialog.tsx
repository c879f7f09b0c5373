import { Modal, Select } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api, unwrap } from "../../api/client";
import { useWorkflows } from "../../api/queries";
import { Form } from "../../components/Form";
import { queryClient } from "../../queryClient";

interface Props {
  orgId: string;
  opened: boolean;
  onClose: () => void;
}

export function NewConversationDialog({ orgId, opened, onClose }: Props) {
  const { data: workflows = [] } = useWorkflows(orgId);
  const agents = workflows
    .filter((each) => each.published)
    .map((each) => ({ value: each.id, label: each.name }));
  const [search, setSearch] = useState("");
  const form = useForm({
    initialValues: { workflow: null as string | null },
    validate: {
      // Text that names no agent must not start a chat with the model.
      workflow: (chosen) =>
        search === (agents.find((agent) => agent.value === chosen)?.label ?? "")
          ? null
          : "Choose an agent from the list, or clear the field.",
    },
  });
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: ({ workflow }: typeof form.values) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/conversations", {
          params: { path: { orgId } },
          body: {
            channel: "API",
            usecase: workflow === null ? "DEFAULT" : "WORKFLOW_EXECUTION",
            config: workflow === null ? {} : { workflow_id: workflow },
          },
        }),
      ),
    onSuccess: async (created) => {
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "conversations"] });
      void navigate(`/organizations/${orgId}/conversations/${created.id}`, { replace: true });
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title="New conversation">
      <Form form={form} mutation={create} action="Start">
        <Select
          label="Chat with"
          description="Choose a published agent, or leave empty to chat with the model"
          placeholder="The chat model"
          data-autofocus
          openOnFocus={false}
          clearable
          searchable
          data={agents}
          searchValue={search}
          onSearchChange={setSearch}
          {...form.getInputProps("workflow")}
        />
      </Form>
    </Modal>
  );
}
