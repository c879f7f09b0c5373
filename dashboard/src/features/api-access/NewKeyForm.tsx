import { Select, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import {
  createApiKey,
  useActiveApiKeys,
  useOrganizationId,
  useTeams,
  useWorkflows,
  type Schemas,
} from "../../api";
import { Form } from "../../components/Form";
import { expiryTime } from "./expiry";
import { ExpiryFields } from "./ExpiryFields";

const sameName = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

export function NewKeyForm({ onCreated }: { onCreated: (key: Schemas["CreatedApiKey"]) => void }) {
  const orgId = useOrganizationId();
  const { data: teams } = useTeams();
  const { data: workflows } = useWorkflows();
  const { data: active } = useActiveApiKeys();
  const form = useForm({
    initialValues: {
      name: "",
      team_id: null as string | null,
      workflow_id: null as string | null,
      expiry: "never",
      expires_at: "",
    },
  });
  const generate = useMutation({
    mutationFn: ({ name, team_id, workflow_id, ...expiry }: typeof form.values) =>
      createApiKey(orgId, {
        name: name.trim(),
        team_id: team_id === null ? null : Number(team_id),
        workflow_id,
        expires_at: expiryTime(expiry),
      }),
    onSuccess: onCreated,
  });
  const isDuplicate = active?.items.some((key) => sameName(key.name, form.values.name));
  return (
    <Form form={form} mutation={generate} action="Generate Key">
      <div>
        <TextInput
          label="Name"
          description="Where will this key be used? e.g. “Billing integration”"
          data-autofocus
          required
          maxLength={100}
          {...form.getInputProps("name")}
        />
        <Text size="xs" mt={4} role="status">
          {isDuplicate && "Another active key has this name. Choose a different one to tell them apart."}
        </Text>
      </div>
      <Select
        label="Team"
        description="Optional. Limits the key to this team’s conversations."
        placeholder="Any team"
        clearable
        searchable
        data={(teams ?? []).map((each) => ({ value: String(each.id), label: each.name }))}
        {...form.getInputProps("team_id")}
      />
      <Select
        label="Agent"
        description="Optional. Limits the key to this agent."
        placeholder="Any agent"
        clearable
        searchable
        data={(workflows ?? []).map((each) => ({ value: each.id, label: each.name }))}
        {...form.getInputProps("workflow_id")}
      />
      <ExpiryFields form={form} />
    </Form>
  );
}
