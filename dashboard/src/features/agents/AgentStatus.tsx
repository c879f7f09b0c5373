import { Group, Text } from "@mantine/core";
import type { Schemas } from "../../api/client";
import { StatusLabel } from "../../components/StatusLabel";

export function AgentStatus({ agent }: { agent: Schemas["Workflow"] | Schemas["WorkflowWithDraft"] }) {
  if (agent.archived_at) {
    return <StatusLabel status="Archived" />;
  }
  return (
    <Group gap={4}>
      {agent.published_version === null ? <StatusLabel status="Draft" /> : <StatusLabel status="Published" />}
      {agent.published_version !== null && (
        <Text size="xs" c="dimmed">
          version {agent.published_version}
          {agent.unpublished_changes && ", unpublished changes"}
        </Text>
      )}
      {!agent.valid && <StatusLabel status="Needs work" />}
    </Group>
  );
}
