import { Anchor, Button, Modal, NumberInput, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconRefresh } from "@tabler/icons-react";
import { TextLink } from "../../components/PageLink";
import { useCodeArtifacts, useIsAdmin, useOrganizationId, useTools } from "../../api";
import { DimmedXs } from "../../components/variants";
import { declaredOutputsOf, inputsOf, type Task, type WorkflowDocument } from "../../graph/document";
import { NewCodeForm } from "../code/NewCodeForm";
import { ProviderDialog } from "../tools/ProviderDialog";
import { ToolFields, toolName } from "./AgentFields";
import {
  differsFrom,
  parametersOfCode,
  parametersOfTool,
  replacedBy,
  type Parameters,
} from "./schemaParameters";
import { subWorkflowOf, waitingToolOf } from "../../graph/controlFlow";
import { SelectOrCreate } from "./SelectOrCreate";
import { WaitFields } from "./WaitFields";
import { useParameterUpdate } from "./useParameterUpdate";
import { useIssuesAt } from "../../values/validation";

interface Props {
  document: WorkflowDocument;
  task: Task;
  path: string;
  onChange: (change: Partial<Task>) => void;
  onDocument: (document: WorkflowDocument) => void;
}

/** The fields that depend on the kind of task. */
export function TaskKindFields(props: Props) {
  switch (props.task.kind) {
    case "AI":
      return <ToolFields {...props} />;
    case "Human":
      return <Due {...props} />;
    case "App":
      return <ToolPicker {...props} />;
    case "Coder":
      return <CodePicker {...props} />;
    default:
      return null;
  }
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

/** Sets the provider, the name and the ID of the tool together, and fills in its inputs and outputs. */
function ToolPicker({ document, task, path, onDocument }: Props) {
  const at = useIssuesAt();
  const isAdmin = useIsAdmin();
  const [adding, provider] = useDisclosure(false);
  const { data: tools = [] } = useTools();
  const chosen = tools.find((each) => each.tool_id === task.tool_id);
  const fill = useParameterUpdate(document, onDocument);
  const choices = tools.map((each) => ({
    value: String(each.tool_id),
    label: toolName(each),
  }));
  const named = { value: String(task.tool_id), label: `${task.provider} · ${task.tool_name}` };
  return (
    <Stack gap={4} align="stretch">
      <SelectOrCreate
        label="Tool"
        required
        placeholder="Choose a tool"
        nothingFoundMessage="No matching tool. Ask an owner or admin to add a provider."
        createLabel="Add provider…"
        onCreate={isAdmin ? provider.open : undefined}
        data={chosen || task.tool_id === undefined ? choices : [named, ...choices]}
        value={task.tool_id === undefined ? null : String(task.tool_id)}
        error={at(`${path}/tool_id`) ?? at(`${path}/tool_name`) ?? at(`${path}/provider`)}
        onChange={(id) => {
          const tool = tools.find((each) => String(each.tool_id) === id);
          if (tool) {
            fill.apply(
              { ...task, provider: tool.provider, tool_name: tool.tool_name, tool_id: tool.tool_id },
              parametersOfTool(tool),
              chosen ? parametersOfTool(chosen) : null,
            );
          }
        }}
      />
      <WaitFields document={document} task={task} path={path} onDocument={onDocument} />
      <SubWorkflowLink task={task} />
      {chosen && !waitingToolOf(task) && (
        <UpdateButton task={task} parameters={parametersOfTool(chosen)} update={fill} />
      )}
      {fill.dialog}
      <ProviderDialog opened={adding} onClose={provider.close} />
    </Stack>
  );
}

/** Leads to the agent that the task runs. */
function SubWorkflowLink({ task }: { task: Task }) {
  const workflow = subWorkflowOf(task);
  return workflow === null ? null : (
    <DimmedXs>
      Runs as an instance of its own. <TextLink to={`agents/${workflow}`}>Open the agent</TextLink>
    </DimmedXs>
  );
}

function CodePicker({ document, task, path, onChange, onDocument }: Props) {
  const at = useIssuesAt();
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const [creating, dialog] = useDisclosure(false);
  const { data: artifacts = [] } = useCodeArtifacts();
  const chosen = artifacts.find((each) => each.id === task.code_artifact_id);
  const fill = useParameterUpdate(document, onDocument);
  const choose = (id: string | null) => {
    const code = artifacts.find((each) => String(each.id) === id);
    if (code) {
      fill.apply(
        { ...task, code_artifact_id: code.id },
        parametersOfCode(code),
        chosen ? parametersOfCode(chosen) : null,
      );
    } else {
      onChange({ code_artifact_id: undefined });
    }
  };
  const pathOf = (id: number) => `/organizations/${orgId}/code/${id}`;
  return (
    <Stack gap={4} align="stretch">
      <SelectOrCreate
        label="Code"
        required
        placeholder="Choose code"
        nothingFoundMessage="No matching code. Ask an owner or admin to add some."
        createLabel="New code…"
        onCreate={isAdmin ? dialog.open : undefined}
        data={artifacts.map((each) => ({ value: String(each.id), label: each.name }))}
        value={task.code_artifact_id === undefined ? null : String(task.code_artifact_id)}
        error={at(`${path}/code_artifact_id`)}
        onChange={choose}
      />
      {chosen && (
        <Anchor size="xs" href={pathOf(chosen.id)} target="_blank" rel="noopener">
          Open the code in a new tab
        </Anchor>
      )}
      {chosen && <UpdateButton task={task} parameters={parametersOfCode(chosen)} update={fill} />}
      {fill.dialog}
      <Modal opened={creating} onClose={dialog.close} title="New code">
        <NewCodeForm
          shape={{ inputs: inputsOf(task), outputs: declaredOutputsOf(task) }}
          onCreated={({ id }) => {
            // New code declares no parameters, so the task keeps its own.
            onChange({ code_artifact_id: id });
            dialog.close();
            window.open(pathOf(id), "_blank", "noopener");
          }}
        />
      </Modal>
    </Stack>
  );
}

interface UpdateButtonProps {
  task: Task;
  parameters: Parameters;
  update: ReturnType<typeof useParameterUpdate>;
}

/** Shown while the schema has other parameters than the task. */
function UpdateButton({ task, parameters, update }: UpdateButtonProps) {
  return differsFrom(task, parameters) ? (
    <Button
      size="compact-xs"
      variant="subtle"
      leftSection={<IconRefresh size={12} />}
      style={{ alignSelf: "flex-start" }}
      onClick={() => update.apply(task, parameters, replacedBy(task, parameters))}
    >
      Update inputs and outputs from schema
    </Button>
  ) : null;
}
