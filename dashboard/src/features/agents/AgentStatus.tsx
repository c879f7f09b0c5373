import { Anchor, Group, Text, Tooltip } from "@mantine/core";
import { Link } from "react-router";
import type { Schemas } from "../../api/client";
import { StatusLabel } from "../../components/StatusLabel";

interface Props {
  agent: Schemas["Workflow"] | Schemas["WorkflowWithDraft"];
  /** The page that shows how the draft differs from the version; false if it does not. Absent in lists. */
  changes?: string | false;
}

export function AgentStatus({ agent, changes }: Props) {
  const { archived_at, published_version: version, unpublished_changes, valid } = agent;
  if (archived_at) {
    return <StatusLabel status="Archived" />;
  }
  return (
    <Group gap={4}>
      {version === null ? <StatusLabel status="Draft" /> : <StatusLabel status="Published" />}
      {version !== null &&
        (changes ? (
          <Tooltip label={`New runs use version ${version} until you publish.`}>
            <Anchor component={Link} to={changes} size="xs">
              Draft differs from version {version}
            </Anchor>
          </Tooltip>
        ) : (
          <Text size="xs" c="dimmed">
            version {version}
            {changes === undefined && unpublished_changes && ", unpublished changes"}
          </Text>
        ))}
      {!valid && <StatusLabel status="Needs work" />}
    </Group>
  );
}
