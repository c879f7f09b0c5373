import { Group, Text } from "@mantine/core";
import type { Schemas } from "../../api/client";
import { Status } from "../../parts/Status";

export function AgentStatus({ agent }: { agent: Schemas["Workflow"] | Schemas["WorkflowWithDraft"] }) {
  if (agent.archived_at) {
    return <Status of="Archived" />;
  }
  return (
    <Group gap={4}>
      {agent.published_version === null ? <Status of="Draft" /> : <Status of="Published" />}
      {agent.published_version !== null && (
        <Text size="xs" c="dimmed">
          version {agent.published_version}
          {agent.unpublished_changes && ", with unpublished changes"}
        </Text>
      )}
      {!agent.valid && <Status of="Needs work" />}
    </Group>
  );
}
