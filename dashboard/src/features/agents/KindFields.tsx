import { NumberInput, Select, TextInput } from "@mantine/core";
import { useOrganizationId } from "../../api/organization";
import { useCodeArtifacts } from "../../api/queries";
import type { Task } from "../../graph/document";
import { useFaultAt } from "./faults";

interface Props {
  task: Task;
  path: string;
  onChange: (change: Partial<Task>) => void;
}

const whole = (value: string | number): number | undefined => (value === "" ? undefined : Number(value));

/** What only App or Coder tasks have. */
export function KindFields({ task, path, onChange }: Props) {
  const at = useFaultAt();
  if (task.kind === "App") {
    return (
      <>
        <TextInput
          label="Provider"
          required
          value={task.provider ?? ""}
          error={at(`${path}/provider`)}
          onChange={(event) => onChange({ provider: event.currentTarget.value })}
        />
        <TextInput
          label="Tool name"
          required
          value={task.tool_name ?? ""}
          error={at(`${path}/tool_name`)}
          onChange={(event) => onChange({ tool_name: event.currentTarget.value })}
        />
        <NumberInput
          label="Tool id"
          required
          allowDecimal={false}
          min={1}
          value={task.tool_id ?? ""}
          error={at(`${path}/tool_id`)}
          onChange={(value) => onChange({ tool_id: whole(value) })}
        />
      </>
    );
  }
  if (task.kind === "Coder") {
    return <CodePicker task={task} path={path} onChange={onChange} />;
  }
  return null;
}

function CodePicker({ task, path, onChange }: Props) {
  const at = useFaultAt();
  const { data: artifacts = [] } = useCodeArtifacts(useOrganizationId());
  return (
    <Select
      label="Code"
      required
      searchable
      placeholder="Choose from the organization's code"
      nothingFoundMessage="No code is called so: write it under Code"
      data={artifacts.map((each) => ({ value: String(each.id), label: each.name }))}
      value={task.code_artifact_id === undefined ? null : String(task.code_artifact_id)}
      error={at(`${path}/code_artifact_id`)}
      onChange={(id) => onChange({ code_artifact_id: id === null ? undefined : Number(id) })}
    />
  );
}
