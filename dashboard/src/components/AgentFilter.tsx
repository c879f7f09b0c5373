import { useWorkflows } from "../api";
import { SelectFilter } from "./filters";

const byName = new Intl.Collator(undefined, { numeric: true });

/**
 * Filters a list by agent.
 *
 * @param unlabelled in a line of filters without labels
 */
export function AgentFilter({ unlabelled = false }: { unlabelled?: boolean }) {
  const { data: workflows = [] } = useWorkflows();
  return (
    <SelectFilter
      param="agent"
      label={unlabelled ? undefined : "Agent"}
      aria-label="Agent"
      w={unlabelled ? 150 : 190}
      styles={{ input: { textOverflow: "ellipsis" } }}
      placeholder={unlabelled ? "All agents" : "All"}
      searchable
      data={workflows
        .map((each) => ({ value: each.id, label: each.name }))
        .toSorted((one, other) => byName.compare(one.label, other.label))}
    />
  );
}
