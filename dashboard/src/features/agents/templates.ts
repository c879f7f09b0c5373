import type { Schemas } from "../../api";
import { asDocument, inputsOf, type Task } from "../../graph/document";

/** The resources of an organization that a template may refer to. */
export interface TemplateReferences {
  tools: Pick<Schemas["Tool"], "tool_id" | "provider" | "tool_name">[];
  dataLakes: Pick<Schemas["DataLake"], "id">[];
  /** The created code artifacts by their IDs in the template. */
  code: ReadonlyMap<number, number>;
  /** The tools of the created sub-workflows by their names in the template. */
  subWorkflows?: ReadonlyMap<string, Pick<Schemas["Tool"], "tool_id" | "provider" | "tool_name">>;
}

/** The document of a new agent: refers to tools, code and data sets of the organization, or to none. */
export function documentFromTemplate(
  template: Record<string, unknown>,
  name: string,
  references: TemplateReferences,
): Record<string, unknown> {
  return {
    ...template,
    name: name || template.name,
    tasks: asDocument(template).tasks.map((task) =>
      withDataLakes(withReference(task, references), references),
    ),
  };
}

function withReference(task: Task, { tools, code, subWorkflows }: TemplateReferences): Task {
  switch (task.kind) {
    case "App": {
      const { provider: _, tool_name, tool_id: __, ...rest } = task;
      const named = tools.filter((each) => each.tool_name === tool_name);
      const tool =
        subWorkflows?.get(tool_name ?? "") ??
        named.find((each) => each.provider === task.provider) ??
        named[0];
      return tool
        ? { ...task, provider: tool.provider, tool_name: tool.tool_name, tool_id: tool.tool_id }
        : (rest as Task);
    }
    case "Coder": {
      const { code_artifact_id: id, ...rest } = task;
      const created = id === undefined ? undefined : code.get(id);
      return created === undefined ? (rest as Task) : { ...task, code_artifact_id: created };
    }
    default:
      return task;
  }
}

function withDataLakes(task: Task, { dataLakes }: TemplateReferences): Task {
  return {
    ...task,
    input_parameters: inputsOf(task).map(({ data_lake_id: id, ...input }) =>
      id && dataLakes.some((each) => each.id === id) ? { ...input, data_lake_id: id } : input,
    ),
  };
}

/** The parameters of a template's code, as its task declares them. */
export function codeParametersOf(template: Record<string, unknown>, codeId: number) {
  const task = asDocument(template).tasks.find((each) => each.code_artifact_id === codeId);
  return {
    inputs: (task?.input_parameters ?? []).map(({ name, type, description, required, items }) => ({
      name,
      type: type as Schemas["ValueType"],
      description,
      required: required ?? false,
      ...(items ? { items: items as Record<string, unknown> } : {}),
    })),
    outputs: (task?.expected_output ?? []).map(({ name, type, description }) => ({
      name: name ?? "file",
      type: type as Schemas["OutputType"],
      description,
    })),
  };
}
