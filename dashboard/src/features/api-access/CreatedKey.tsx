import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import type { Schemas } from "../../api";
import { CodeText } from "../../components/CodeBlock";
import { CopyButton } from "../../components/CopyButton";

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

interface Props {
  /** Null after the page was reloaded. */
  created: Schemas["CreatedApiKey"] | null;
  onDone: () => void;
}

/** Shows a new key, which is available only once. */
export function CreatedKey({ created, onDone }: Props) {
  if (!created) {
    return (
      <Stack>
        <Text size="sm">
          The key was created, but it is shown only once. If you didn’t copy it, roll it to get a new one.
        </Text>
        <Group justify="flex-end">
          <Button onClick={onDone} data-autofocus>
            Close
          </Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Stack>
      <Alert color="yellow" title="Copy your key now">
        You won’t be able to see this key again. Don’t put it in client-side code or commit it.
      </Alert>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label="API key"
          readOnly
          flex={1}
          value={created.key}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={created.key} label="Copy key" autoFocus />
      </Group>
      <div>
        <Group justify="space-between" mb={4}>
          <Text size="sm" fw={500}>
            Try it
          </Text>
          <CopyButton small text={curl(created)} label="Copy command" />
        </Group>
        <CodeText label="curl command with the new key">{curl(created)}</CodeText>
      </div>
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
