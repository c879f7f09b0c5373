import { Alert, Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { fieldErrors } from "../../api/problem";
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
  const [name, setName] = useState("");
  const [team, setTeam] = useState<string | null>(null);
  const [workflow, setWorkflow] = useState<string | null>(null);
  const [expires, setExpires] = useState("");
  const generate = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/api-keys", {
          params: { path: { orgId } },
          body: {
            name: name.trim(),
            team_id: team === null ? null : Number(team),
            workflow_id: workflow,
            expires_at: expires === "" ? null : new Date(expires).toISOString(),
          },
        }),
      ),
    onSuccess: async (key) => {
      onMade(key);
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "api-keys"] });
    },
  });
  const { at } = fieldErrors(generate.error);
  return (
    <Form
      mutation={generate}
      onSubmit={() => generate.mutate()}
      action="Generate Key"
      fieldPaths={["/name", "/team_id", "/workflow_id", "/expires_at"]}
    >
      <TextInput
        label="Name"
        description="Where will this key be used? e.g. “Billing integration”"
        data-autofocus
        required
        maxLength={100}
        value={name}
        error={at("/name")}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label="Team"
        description="Optional. Limits the key to this team’s conversations."
        placeholder="Any team"
        clearable
        searchable
        data={(teams ?? []).map((each) => ({ value: String(each.id), label: each.name }))}
        value={team}
        error={at("/team_id")}
        onChange={setTeam}
      />
      <Select
        label="Agent"
        description="Optional. Limits the key to this agent."
        placeholder="Any agent"
        clearable
        searchable
        data={(workflows ?? []).map((each) => ({ value: each.id, label: each.name }))}
        value={workflow}
        error={at("/workflow_id")}
        onChange={setWorkflow}
      />
      <TextInput
        label="Expiration"
        description="Optional. The key stops working at this time."
        type="datetime-local"
        value={expires}
        error={at("/expires_at")}
        onChange={(event) => setExpires(event.currentTarget.value)}
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
        <CopyButton text={made.key} label="Copy key" />
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
