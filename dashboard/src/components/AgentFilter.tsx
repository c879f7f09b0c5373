import { Select } from "@mantine/core";
import { useOrganizationId } from "../api/organization";
import { useWorkflows } from "../api/queries";

interface Props {
  value: string | undefined;
  onChange: (workflowId: string | null) => void;
}

/** Filters a list by agent. */
export function AgentFilter({ value, onChange }: Props) {
  const { data: workflows = [] } = useWorkflows(useOrganizationId());
  return (
    <Select
      label="Agent"
      w={190}
      placeholder="All"
      clearable
      searchable
      data={workflows.map((each) => ({ value: each.id, label: each.name }))}
      value={value ?? null}
      onChange={onChange}
    />
  );
}
