import type { Schemas } from "../../api";
import { truncate } from "../../components/truncate";
import {
  accepts,
  closesCycle,
  declaredOutputsOf,
  inputsOf,
  outputsOf,
  type Connection,
  type InputParameter,
  type Items,
  type OutputParameter,
  type Property,
  type Task,
  type WorkflowDocument,
} from "../../graph/document";
import { connect } from "../../graph/documentEdits";
import { PREVIOUS, TIME_WAIT, untilOf, waitInput } from "../../graph/controlFlow";
import { withoutNull } from "../../values/schemaFields";
import { capitalized } from "../../components/capitalized";

type Schema = Record<string, unknown>;

/** The inputs and outputs of a tool or of code. */
export interface Parameters {
  inputs: InputParameter[];
  outputs: OutputParameter[];
  /** Whether inputs of other names are refused. */
  closed: boolean;
}

const BASIC_TYPES: Record<string, Property["type"]> = {
  string: "STRING",
  integer: "INTEGER",
  number: "FLOAT",
  boolean: "BOOLEAN",
};

/** Derives parameters from the tool's schemas. Outputs are the results that the tool always returns. */
export function parametersOfTool(tool: Schemas["Tool"]): Parameters {
  const { input_schema, output_schema } = tool;
  const required = namesIn(input_schema.required);
  const always = output_schema?.required === undefined ? null : namesIn(output_schema.required);
  const waits = tool.tool_id === TIME_WAIT ? [waitInput("seconds")] : null;
  return {
    inputs:
      waits ??
      propertiesOf(input_schema).map(([name, schema]) => ({
        name,
        description: descriptionOf(name, schema),
        required: required.includes(name),
        source: "task_config",
        ...typeOf(schema),
      })),
    outputs: propertiesOf(output_schema ?? {}).flatMap(([name, schema]) => {
      const { type: valueType, format } = withoutNull(schema);
      const type = format === "date-time" ? "DATETIME" : BASIC_TYPES[String(valueType)];
      return type && (always?.includes(name) ?? true)
        ? [{ name, type, description: descriptionOf(name, schema) }]
        : [];
    }),
    closed: input_schema.additionalProperties === false,
  };
}

/** Derives parameters from the declarations of the code. */
export function parametersOfCode(code: Pick<Schemas["CodeArtifact"], "inputs" | "outputs">): Parameters {
  return {
    inputs: code.inputs.map(({ name, type, description, required, items }) => ({
      name: name ?? "",
      type: type ?? "STRING",
      description: description || nameAsText(name ?? ""),
      required: required ?? true,
      source: required === false ? "task_config" : "system_generated",
      // Items that the code does not declare may be of any type, so the author of the task chooses one.
      ...(type === "ARRAY" && items ? { items: items as unknown as Items } : {}),
      ...(type === "OBJECT" ? { properties: [] } : {}),
    })),
    outputs: code.outputs.map(({ name, type, description }) => ({
      name: name ?? "",
      type: type ?? "STRING",
      description: description || nameAsText(name ?? ""),
    })),
    closed: false,
  };
}

export interface ParameterUpdate {
  document: WorkflowDocument;
  /** Names of removed parameters that were connected or had a value. */
  inUse: string[];
}

/**
 * Adds the parameters that the task lacks; existing ones stay as they are. Parameters that only the previous tool or
 * code has are removed unless `keep` is set. Connects new required inputs to outputs of the same name, and an input that
 * took the untouched output of a new task to an output that fits.
 */
export function withParameters(
  document: WorkflowDocument,
  task: Task,
  next: Parameters,
  previous: Parameters | null,
  keep = false,
): ParameterUpdate {
  const inputs = inputsOf(task);
  const outputs = declaredOutputsOf(task);
  const nextInputs = next.inputs.map((each) => each.name);
  const staleInputs = keep
    ? []
    : inputs.filter(
        ({ name }) =>
          !nextInputs.includes(name) &&
          !isPrevious(task, name) &&
          (next.closed || (previous?.inputs.some((each) => each.name === name) ?? false)),
      );
  const staleOutputs = keep ? [] : outputs.filter((output) => isStale(output, next, previous));
  const removedInputs = new Set(staleInputs.map((each) => each.name));
  const removedOutputs = new Set(staleOutputs.map((each) => each.name ?? ""));
  const added = next.inputs.filter(({ name }) => !inputs.some((each) => each.name === name));
  const changed: WorkflowDocument = {
    ...document,
    tasks: document.tasks.map((each) =>
      each.id === task.id
        ? {
            ...task,
            input_parameters: [...inputs.filter((input) => !removedInputs.has(input.name)), ...added],
            expected_output: [
              ...outputs.filter((output) => !removedOutputs.has(output.name ?? "")),
              ...next.outputs.filter(({ name }) => !outputs.some((output) => output.name === name)),
            ],
          }
        : each,
    ),
    connections: (document.connections ?? []).flatMap((connection) => {
      const { from, to } = connection;
      if (from.task !== task.id || !removedOutputs.has(from.output)) {
        return to.task === task.id && removedInputs.has(to.input) ? [] : [connection];
      }
      const output = staleOutputs.some((each) => each.name === from.output && isUntouched(each))
        ? fittingOutput(document, task, next.outputs, to)
        : undefined;
      return output ? [{ from: { task: task.id, output: output.name ?? "" }, to }] : [];
    }),
  };
  return {
    document: connectByName(
      changed,
      task.id,
      added.filter((each) => each.required),
    ),
    inUse: [
      ...staleInputs
        .filter((each) => isConnected(document, task, each.name, "to") || hasValue(each))
        .map((each) => each.name),
      ...staleOutputs
        .filter((each) => !isUntouched(each) && isConnected(document, task, each.name ?? "", "from"))
        .map((each) => each.name ?? ""),
    ],
  };
}

/** Whether an input gets an output of the run before, so that no schema has it. */
const isPrevious = (task: Task, name: string): boolean =>
  untilOf(task) !== null && Boolean(name?.startsWith(PREVIOUS));

/** Whether the schema would add or remove parameters. */
export function differsFrom(task: Task, next: Parameters): boolean {
  const inputs = inputsOf(task).map((each) => each.name);
  const outputs = declaredOutputsOf(task).map((each) => each.name);
  return (
    next.inputs.some((each) => !inputs.includes(each.name)) ||
    next.outputs.some((each) => !outputs.includes(each.name)) ||
    (next.closed &&
      inputs.some((name) => !isPrevious(task, name) && !next.inputs.some((each) => each.name === name)))
  );
}

/** The task's parameters that an update by a changed schema may remove. A schema without inputs takes any. */
export const replacedBy = (task: Task, next: Parameters): Parameters => ({
  inputs: next.inputs.length > 0 ? inputsOf(task) : [],
  outputs: declaredOutputsOf(task),
  closed: false,
});

/** An output of the previous tool or code, or the untouched one of a new task. */
function isStale(output: OutputParameter, next: Parameters, previous: Parameters | null): boolean {
  if (next.outputs.length === 0 || next.outputs.some((each) => each.name === output.name)) {
    return false;
  }
  return (previous?.outputs.some((each) => each.name === output.name) ?? false) || isUntouched(output);
}

/** Whether an output is that of a new task. */
const isUntouched = ({ name, description }: OutputParameter): boolean =>
  name === "result" && description === "The result";

/** The output that an input takes; a text before a time or a file. */
function fittingOutput(
  document: WorkflowDocument,
  source: Task,
  outputs: readonly OutputParameter[],
  { task, input }: Connection["to"],
): OutputParameter | undefined {
  const target = document.tasks.find((each) => each.id === task);
  const parameter = target && inputsOf(target).find((each) => each.name === input);
  const fitting = parameter ? outputs.filter((output) => accepts(source, output, parameter)) : [];
  return fitting.find(({ type }) => type === "STRING") ?? fitting[0];
}

function isConnected(document: WorkflowDocument, task: Task, name: string, end: "from" | "to"): boolean {
  return (document.connections ?? []).some(({ from, to }) =>
    end === "from" ? from.task === task.id && from.output === name : to.task === task.id && to.input === name,
  );
}

const hasValue = (input: InputParameter): boolean =>
  (input.source === "task_config" && input.value !== undefined && input.value !== null) ||
  Boolean(input.data_lake_id);

/** Connects inputs to the only output of the same name and a suitable type. */
function connectByName(
  document: WorkflowDocument,
  taskId: string,
  inputs: InputParameter[],
): WorkflowDocument {
  return inputs.reduce((now, input) => {
    const sources = now.tasks.filter(
      (each) =>
        each.id !== taskId &&
        !closesCycle(now, each.id, taskId) &&
        outputsOf(each).some((output) => output.name === input.name && accepts(each, output, input)),
    );
    if (sources.length !== 1) {
      return now;
    }
    const tasks = now.tasks.map((each) =>
      each.id === taskId
        ? {
            ...each,
            input_parameters: inputsOf(each).map((one) =>
              one.name === input.name ? { ...one, source: "system_generated" as const } : one,
            ),
          }
        : each,
    );
    return connect(
      { ...now, tasks },
      { from: { task: sources[0]!.id, output: input.name }, to: { task: taskId, input: input.name } },
    );
  }, document);
}

const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const namesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];

const propertiesOf = (schema: Schema): [string, Schema][] =>
  isObject(schema.properties)
    ? Object.entries(schema.properties).map(([name, each]) => [name, isObject(each) ? each : {}])
    : [];

/** The value type of a schema with its structure; text if the schema allows several types. */
function typeOf(property: Schema): Pick<InputParameter, "type" | "items" | "properties"> {
  const schema = withoutNull(property);
  switch (schema.type) {
    case "array":
      return { type: "ARRAY", items: itemsOf(schema.items) };
    case "object":
      return { type: "OBJECT", properties: memberPropertiesOf(schema) };
    default:
      return { type: BASIC_TYPES[String(schema.type)] ?? "STRING" };
  }
}

function itemsOf(schema: unknown): Items {
  return isObject(schema) && schema.type !== undefined ? (typeOf(schema) as Items) : { type: "STRING" };
}

/** Members of a basic type; others are allowed without being declared. */
function memberPropertiesOf(schema: Schema): Property[] {
  const required = namesIn(schema.required);
  return propertiesOf(schema).flatMap(([name, member]) => {
    const type = BASIC_TYPES[String(withoutNull(member).type)];
    return type
      ? [{ name, type, description: descriptionOf(name, member), required: required.includes(name) }]
      : [];
  });
}

const MAX_DESCRIPTION_LENGTH = 1_000;

function descriptionOf(name: string, property: Schema): string {
  const schema = withoutNull(property);
  const text = [property.description, schema.description, property.title].find(
    (each): each is string => typeof each === "string" && each.trim() !== "",
  );
  const choices = namesIn(schema.enum);
  const options = choices.length > 0 ? ` (${truncate(choices.join(", "), MAX_DESCRIPTION_LENGTH)})` : "";
  return truncate(text ?? nameAsText(name), MAX_DESCRIPTION_LENGTH) + options;
}

/** Formats "unit_price" as "Unit price". */
function nameAsText(name: string): string {
  const text = name.replaceAll(/[_-]+/g, " ").trim();
  return text ? capitalized(text) : name;
}
