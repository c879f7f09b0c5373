import { useCodeArtifacts, useTools } from "../../api";
import { SearchDialog, type SearchItem } from "../../components/SearchDialog";
import type { Task, TaskKind, WorkflowDocument } from "../../graph/document";
import { KIND_ICONS, TASK_KINDS } from "../../graph/TaskNode";
import { providerName } from "../tools/providerKinds";
import { parametersOfCode, parametersOfTool, type Parameters } from "./schemaParameters";

const ABOUT: Record<TaskKind, string> = {
  AI: "A model answers, decides or calls tools",
  Human: "A person fills in a form",
  App: "Calls one tool",
  Coder: "Runs JavaScript or Python",
};

/** The inputs and outputs of a schema; without outputs, the task keeps its default one. */
const filled = ({ inputs, outputs }: Parameters): Partial<Task> => ({
  input_parameters: inputs,
  ...(outputs.length > 0 ? { expected_output: outputs } : {}),
});

interface PaletteProps {
  opened: boolean;
  onAdd: (kind: TaskKind, fields?: Partial<Task>) => void;
  onClose: () => void;
}

/** Adds a task of any kind, or one that calls a given tool or runs given code. */
export function TaskPalette({ opened, onAdd, onClose }: PaletteProps) {
  const { data: tools = [] } = useTools();
  const { data: artifacts = [] } = useCodeArtifacts();
  const items: SearchItem[] = [
    ...TASK_KINDS.map((kind) => ({
      key: kind,
      label: `${kind} task`,
      description: ABOUT[kind],
      icon: KIND_ICONS[kind],
      onChoose: () => onAdd(kind),
    })),
    ...tools.map((tool) => ({
      key: `tool/${tool.tool_id}`,
      label: tool.title || tool.tool_name,
      description:
        tool.provider === "workflow" ? "App · runs this agent" : `App · ${providerName(tool.provider)}`,
      icon: KIND_ICONS.App,
      onChoose: () =>
        onAdd("App", {
          name: tool.title || tool.tool_name,
          provider: tool.provider,
          tool_name: tool.tool_name,
          tool_id: tool.tool_id,
          ...filled(parametersOfTool(tool)),
        }),
    })),
    ...artifacts.map((artifact) => ({
      key: `code/${artifact.id}`,
      label: artifact.name,
      description: "Coder · code",
      icon: KIND_ICONS.Coder,
      onChoose: () =>
        onAdd("Coder", {
          name: artifact.name,
          code_artifact_id: artifact.id,
          ...filled(parametersOfCode(artifact)),
        }),
    })),
  ];
  return (
    <SearchDialog
      title="Add a task"
      label="Search kinds, tools and code"
      opened={opened}
      items={items}
      onClose={onClose}
    />
  );
}

interface SearchProps {
  document: WorkflowDocument;
  subtitleOf: (task: Task) => string;
  opened: boolean;
  onFound: (taskId: string) => void;
  onClose: () => void;
}

/** Finds a task on the canvas by its name, ID, kind, tool or code. */
export function TaskSearch({ document, subtitleOf, opened, onFound, onClose }: SearchProps) {
  const items = document.tasks.map((task, index) => ({
    key: `${index}`,
    label: task.name || task.id || "Untitled",
    description: `${subtitleOf(task)} · ${task.id}`,
    icon: KIND_ICONS[task.kind] ?? KIND_ICONS.App,
    onChoose: () => onFound(task.id),
  }));
  return (
    <SearchDialog
      title="Find a task"
      label="Search tasks"
      empty="This agent has no tasks yet. Press A on the canvas to add one."
      opened={opened}
      items={items}
      onClose={onClose}
    />
  );
}
