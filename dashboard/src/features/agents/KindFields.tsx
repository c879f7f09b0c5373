import { NumberInput, TextInput } from "@mantine/core";
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
    return (
      <NumberInput
        label="Code artifact id"
        required
        allowDecimal={false}
        min={1}
        value={task.code_artifact_id ?? ""}
        error={at(`${path}/code_artifact_id`)}
        onChange={(value) => onChange({ code_artifact_id: whole(value) })}
      />
    );
  }
  return null;
}
