import { Group } from "@mantine/core";
import type { Schemas } from "../../api";
import { DimmedXs } from "../../components/variants";
import { StatusLabel } from "../../components/StatusLabel";

interface Props {
  agent: Schemas["ListedWorkflow"] | Schemas["WorkflowWithDraft"];
  /** Whether the page shows the version elsewhere. */
  withoutVersion?: boolean;
}

export function AgentStatus({ agent, withoutVersion = false }: Props) {
  if (agent.archived_at) {
    return <StatusLabel status="Archived" />;
  }
  return (
    <Group gap={4}>
      {agent.published_version === null ? <StatusLabel status="Draft" /> : <StatusLabel status="Published" />}
      {agent.published_version !== null && !withoutVersion && (
        <DimmedXs>
          version {agent.published_version}
          {agent.unpublished_changes && ", unpublished changes"}
        </DimmedXs>
      )}
      {!agent.valid && <StatusLabel status="Needs work" />}
    </Group>
  );
}
