import { Modal, Select } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useMutation } from "@tanstack/react-query";
import { createConversation, findSummaries, refetch, useOrganizationId, useWorkflows } from "../../api";
import { Form } from "../../components/Form";
import { useGoTo } from "../../components/PageLink";

/** The conversation that was started last with each agent. */
const lastStarted = new Map<string, string>();

/** The last one that was started here, if it has no messages: unused ones must not pile up in the list. */
async function unusedConversation(
  orgId: string,
  workflow: string | null,
): Promise<{ id: string } | undefined> {
  const id = lastStarted.get(`${orgId} ${workflow}`);
  if (!id) {
    return undefined;
  }
  const items = await findSummaries(orgId, { id, limit: 1 });
  return items.find((each) => each.first_message === null);
}

export function NewConversationDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="New conversation">
      <Fields />
    </Modal>
  );
}

function Fields() {
  const orgId = useOrganizationId();
  const { data: workflows = [] } = useWorkflows();
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
  const goTo = useGoTo();
  const create = useMutation({
    mutationFn: async ({ workflow }: typeof form.values) =>
      (await unusedConversation(orgId, workflow)) ?? createConversation(orgId, workflow),
    onSuccess: async (created, { workflow }) => {
      lastStarted.set(`${orgId} ${workflow}`, created.id);
      await refetch(orgId, "conversations");
      void goTo(`conversations/${created.id}`, { replace: true });
    },
  });
  return (
    // Until the conversation is shown, another click must not start a second one.
    <Form
      form={form}
      mutation={{ ...create, isPending: create.isPending || create.isSuccess }}
      action="Start"
    >
      <Select
        label="Chat with"
        description="Choose a published agent, or leave empty to chat with the model"
        placeholder="The chat model"
        data-autofocus
        openOnFocus={false}
        // Otherwise Mantine forgets the first match when the first letter opens the list.
        selectFirstOptionOnDropdownOpen={form.values.workflow === null}
        clearable
        searchable
        data={agents}
        searchValue={search}
        onSearchChange={setSearch}
        {...form.getInputProps("workflow")}
      />
    </Form>
  );
}
