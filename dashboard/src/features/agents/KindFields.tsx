import { Select } from "@mantine/core";
import { useOrganizationId } from "../../api/organization";
import { useCodeArtifacts, useTools } from "../../api/queries";
import type { Task } from "../../graph/document";
import { useFaultAt } from "./faults";

interface Props {
  task: Task;
  path: string;
  onChange: (change: Partial<Task>) => void;
}

/** What only App or Coder tasks have. */
export function KindFields({ task, path, onChange }: Props) {
  if (task.kind === "App") {
    return <ToolPicker task={task} path={path} onChange={onChange} />;
  }
  if (task.kind === "Coder") {
    return <CodePicker task={task} path={path} onChange={onChange} />;
  }
  return null;
}

/** A tool is named by its provider, its name and its id; one choice sets all three. */
function ToolPicker({ task, path, onChange }: Props) {
  const at = useFaultAt();
  const { data: tools = [] } = useTools(useOrganizationId());
  const known = tools.some((each) => each.tool_id === task.tool_id);
  const choices = tools.map((each) => ({
    value: String(each.tool_id),
    label: `${each.provider} · ${each.title || each.tool_name}`,
  }));
  const named = { value: String(task.tool_id), label: `${task.provider} · ${task.tool_name}` };
  return (
    <Select
      label="Tool"
      required
      searchable
      placeholder="Choose from the organization's tools"
      nothingFoundMessage="No tool is called so: add its provider under Tools"
      data={known || task.tool_id === undefined ? choices : [named, ...choices]}
      value={task.tool_id === undefined ? null : String(task.tool_id)}
      error={at(`${path}/tool_id`) ?? at(`${path}/tool_name`) ?? at(`${path}/provider`)}
      onChange={(id) => {
        const tool = tools.find((each) => String(each.tool_id) === id);
        if (tool) {
          onChange({ provider: tool.provider, tool_name: tool.tool_name, tool_id: tool.tool_id });
        }
      }}
    />
  );
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
