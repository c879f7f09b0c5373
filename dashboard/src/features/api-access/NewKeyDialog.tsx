import { Alert, Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { useTeams, useWorkflows } from "../../api/queries";
import { CopyButton } from "../../components/CopyButton";
import { Form } from "../../components/Form";
import { queryClient } from "../../queryClient";

interface Props {
  orgId: string;
  opened: boolean;
  onClose: () => void;
}

/** Asks for a name and restrictions, then shows the new key once. */
export function NewKeyDialog({ orgId, opened, onClose }: Props) {
  const [made, setMade] = useState<Schemas["CreatedApiKey"] | null>(null);
  if (!opened && made) {
    // Forget the key however the dialog was closed, even by Back.
    setMade(null);
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={made ? "Your new API key" : "Create new API key"}
      size="lg"
      closeOnClickOutside={!made}
      closeOnEscape={!made}
    >
      {made ? <Shown made={made} onDone={onClose} /> : <Fields orgId={orgId} onMade={setMade} />}
    </Modal>
  );
}

function Fields({ orgId, onMade }: { orgId: string; onMade: (key: Schemas["CreatedApiKey"]) => void }) {
  const { data: teams } = useTeams(orgId);
  const { data: workflows } = useWorkflows(orgId);
  const form = useForm({
    initialValues: {
      name: "",
      team_id: null as string | null,
      workflow_id: null as string | null,
      expires_at: "",
    },
  });
  const generate = useMutation({
    mutationFn: ({ name, team_id, workflow_id, expires_at }: typeof form.values) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/api-keys", {
          params: { path: { orgId } },
          body: {
            name: name.trim(),
            team_id: team_id === null ? null : Number(team_id),
            workflow_id,
            expires_at: expires_at === "" ? null : new Date(expires_at).toISOString(),
          },
        }),
      ),
    onSuccess: async (key) => {
      onMade(key);
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "api-keys"] });
    },
  });
  return (
    <Form form={form} mutation={generate} action="Generate Key">
      <TextInput
        label="Name"
        description="Where will this key be used? e.g. “Billing integration”"
        data-autofocus
        required
        maxLength={100}
        {...form.getInputProps("name")}
      />
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
      <TextInput
        label="Expiration"
        description="Optional. The key stops working at this time."
        type="datetime-local"
        {...form.getInputProps("expires_at")}
      />
    </Form>
  );
}

function curl(key: Schemas["CreatedApiKey"]): string {
  const config =
    key.workflow_id === null
      ? '{"channel": "API", "usecase": "DEFAULT"}'
      : `{"channel": "API", "usecase": "WORKFLOW_EXECUTION", "config": {"workflow_id": "${key.workflow_id}"}}`;
  return [
    `curl -s ${location.origin}/developer/api/conversations \\`,
    `  -H 'Authorization: Bearer ${key.key}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${config}'`,
  ].join("\n");
}

function Shown({ made, onDone }: { made: Schemas["CreatedApiKey"]; onDone: () => void }) {
  return (
    <Stack>
      <Alert color="yellow" title="Copy your key now">
        <Text size="sm">
          You won’t be able to see this key again. Don’t put it in client-side code or commit it.
        </Text>
      </Alert>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label="API key"
          readOnly
          flex={1}
          value={made.key}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={made.key} label="Copy key" autoFocus />
      </Group>
      <div>
        <Group justify="space-between" mb={4}>
          <Text size="sm" fw={500}>
            Try it
          </Text>
          <CopyButton small text={curl(made)} label="Copy command" />
        </Group>
        <pre className="code" tabIndex={0} aria-label="curl command with the new key">
          {curl(made)}
        </pre>
      </div>
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
