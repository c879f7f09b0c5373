import { MultiSelect, NumberInput, Select } from "@mantine/core";
import type { Schemas } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { useCodeArtifacts, useTools } from "../../api/queries";
import type { Task } from "../../graph/document";
import { useIssuesAt } from "./validation";

interface Props {
  task: Task;
  path: string;
  onChange: (change: Partial<Task>) => void;
}

/** The fields that depend on the kind of task. */
export function TaskKindFields({ task, path, onChange }: Props) {
  switch (task.kind) {
    case "AI":
      return <ModelTools task={task} path={path} onChange={onChange} />;
    case "Human":
      return <Due task={task} path={path} onChange={onChange} />;
    case "App":
      return <ToolPicker task={task} path={path} onChange={onChange} />;
    case "Coder":
      return <CodePicker task={task} path={path} onChange={onChange} />;
    default:
      return null;
  }
}

function ModelTools({ task, path, onChange }: Props) {
  const at = useIssuesAt();
  const { data: tools = [] } = useTools(useOrganizationId());
  const chosen = (task.tools ?? []).map(String);
  const known = tools.map((each) => ({ value: String(each.tool_id), label: toolName(each) }));
  const deleted = chosen
    .filter((id) => !known.some((each) => each.value === id))
    .map((id) => ({ value: id, label: `Tool ${id} (deleted)` }));
  return (
    <MultiSelect
      label="Tools"
      placeholder={chosen.length === 0 ? "None" : undefined}
      searchable
      maxValues={32}
      data={[...known, ...deleted]}
      value={chosen}
      error={at(`${path}/tools`) ?? chosen.map((_, index) => at(`${path}/tools/${index}`)).find(Boolean)}
      onChange={(ids) => onChange({ tools: ids.length > 0 ? ids.map(Number) : undefined })}
    />
  );
}

function Due({ task, path, onChange }: Props) {
  const at = useIssuesAt();
  return (
    <NumberInput
      label="Due after (minutes)"
      description="Optional. Sets a due date on the ticket and sends reminders."
      min={1}
      allowDecimal={false}
      value={task.due_in_minutes ?? ""}
      error={at(`${path}/due_in_minutes`)}
      onChange={(value) => onChange({ due_in_minutes: value === "" ? undefined : Number(value) })}
    />
  );
}

const toolName = (tool: Schemas["Tool"]) => `${tool.provider} · ${tool.title || tool.tool_name}`;

/** Sets the provider, the name and the ID of the tool together. */
function ToolPicker({ task, path, onChange }: Props) {
  const at = useIssuesAt();
  const { data: tools = [] } = useTools(useOrganizationId());
  const known = tools.some((each) => each.tool_id === task.tool_id);
  const choices = tools.map((each) => ({
    value: String(each.tool_id),
    label: toolName(each),
  }));
  const named = { value: String(task.tool_id), label: `${task.provider} · ${task.tool_name}` };
  return (
    <Select
      label="Tool"
      required
      searchable
      placeholder="Choose a tool"
      nothingFoundMessage="No matching tool. Add a provider under Tools."
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
  const at = useIssuesAt();
  const { data: artifacts = [] } = useCodeArtifacts(useOrganizationId());
  return (
    <Select
      label="Code"
      required
      searchable
      placeholder="Choose code"
      nothingFoundMessage="No matching code. Create it under Code."
      data={artifacts.map((each) => ({ value: String(each.id), label: each.name }))}
      value={task.code_artifact_id === undefined ? null : String(task.code_artifact_id)}
      error={at(`${path}/code_artifact_id`)}
      onChange={(id) => onChange({ code_artifact_id: id === null ? undefined : Number(id) })}
    />
  );
}
