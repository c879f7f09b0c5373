import { Select } from "@mantine/core";
import { useWorkflows } from "../api";

const byName = new Intl.Collator(undefined, { numeric: true });

interface Props {
  value: string | undefined;
  onChange: (workflowId: string | null) => void;
  /** In a line of filters without labels. */
  unlabelled?: boolean;
}

/** Filters a list by agent. */
export function AgentFilter({ value, onChange, unlabelled = false }: Props) {
  const { data: workflows = [] } = useWorkflows();
  return (
    <Select
      label={unlabelled ? undefined : "Agent"}
      aria-label="Agent"
      w={unlabelled ? 150 : 190}
      styles={{ input: { textOverflow: "ellipsis" } }}
      placeholder={unlabelled ? "All agents" : "All"}
      clearable
      searchable
      data={workflows
        .map((each) => ({ value: each.id, label: each.name }))
        .toSorted((one, other) => byName.compare(one.label, other.label))}
      value={value ?? null}
      onChange={onChange}
    />
  );
}
