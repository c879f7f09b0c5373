import { Select, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { useTeams, useWorkflows } from "../../api/queries";
import { Form } from "../../components/Form";
import { expiryTime } from "./expiry";
import { ExpiryFields } from "./ExpiryFields";

interface Props {
  orgId: string;
  onCreated: (key: Schemas["CreatedApiKey"]) => void;
}

const sameName = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

export function NewKeyForm({ orgId, onCreated }: Props) {
  const { data: teams } = useTeams(orgId);
  const { data: workflows } = useWorkflows(orgId);
  const { data: active } = useQuery({
    queryKey: ["organization", orgId, "api-keys", "active"],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/api-keys", {
          params: { path: { orgId }, query: { active: true, limit: 100 } },
        }),
      ),
  });
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
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/api-keys", {
          params: { path: { orgId } },
          body: {
            name: name.trim(),
            team_id: team_id === null ? null : Number(team_id),
            workflow_id,
            expires_at: expiryTime(expiry),
          },
        }),
      ),
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
