import type { Schemas } from "../../api";
import { acceptedInputTypes, accepts, forEachInputOf, inputsOf } from "../../graph/document";
import type { InputParameter, Items, OutputParameter, Task, WorkflowDocument } from "../../graph/document";
import { connectInput } from "../../graph/documentEdits";
import { parseValues, rawOf, type RawValue, type ValueField } from "../../values/valueFields";
import { ANY, fieldsOf, listIn, PAIRS, parseArguments, TEXT_OR_LIST } from "../../values/schemaFields";
import { parametersOfTool } from "./schemaParameters";

/** A parameter of a tool, with the input of the task that has its value. */
export interface ToolParameter {
  field: ValueField;
  /** The input of the task, or the one that a change adds. */
  input: InputParameter;
  /** The place among the inputs of the task; -1 if it lacks the input. */
  index: number;
}

interface ToolForm {
  parameters: ToolParameter[];
  /** The places of inputs that the schema does not have, or has with another type. */
  others: number[];
  /** Whether inputs of other names are refused. */
  closed: boolean;
}

/** The form for the inputs of a task that calls a tool. */
export function toolFormOf(tool: Schemas["Tool"], task: Task): ToolForm {
  const inputs = inputsOf(task);
  const fields = new Map(fieldsOf(tool.input_schema).map((field) => [field.name, field]));
  const { inputs: declared, closed } = parametersOfTool(tool);
  const parameters = declared.flatMap((declaration) => {
    const index = inputs.findIndex(({ name }) => name === declaration.name);
    const input = inputs[index] ?? declaration;
    const field = fields.get(declaration.name);
    return field && (takesType(field, input) || input.type === declaration.type)
      ? [{ field: shownField(field, input), input, index }]
      : [];
  });
  const shown = new Set(parameters.map(({ index }) => index));
  return { parameters, closed, others: [...inputs.keys()].filter((index) => !shown.has(index)) };
}

/** Whether the type of the input follows its value. */
const takesType = (field: ValueField, { type }: InputParameter): boolean =>
  field.type === ANY || (field.type === TEXT_OR_LIST && (type === "STRING" || type === "ARRAY"));

const YES = "Yes";
const NO = "No";

/** The field with the structure of the input. An optional yes or no can be cleared. */
function shownField(field: ValueField, { type, items, properties, value }: InputParameter): ValueField {
  if (type === "BOOLEAN" && field.type !== ANY) {
    return { ...field, choices: [YES, NO] };
  }
  const isUnfit = field.type === PAIRS && value !== undefined && value !== null && !hasOnlyTexts(value);
  return { ...field, type: isUnfit ? "OBJECT" : field.type, items, properties };
}

const hasOnlyTexts = (value: unknown): value is Record<string, string> =>
  typeof value === "object" && Object.values(value as object).every((each) => typeof each === "string");

/** Whether the value of a field that accepts anything is JSON. */
export const isJson = ({ type }: InputParameter): boolean => type === "OBJECT" || type === "ARRAY";

/** The fixed value of an input, for the field of the form. */
export function rawOfInput(field: ValueField, { type, value }: InputParameter): RawValue {
  if (value === undefined || value === null) {
    return null;
  }
  if (field.type === PAIRS && hasOnlyTexts(value)) {
    return JSON.stringify(Object.entries(value));
  }
  if (type === "BOOLEAN" && field.type !== ANY) {
    return String(value) === "true" ? YES : NO;
  }
  return field.type === TEXT_OR_LIST && Array.isArray(value) ? JSON.stringify(value) : rawOf(type, value);
}

/** The change of an input that a typed value makes, or why the value is incomplete. */
export function changeOf(
  field: ValueField,
  input: InputParameter,
  raw: RawValue,
): Partial<InputParameter> | { error: string } {
  const { name } = field;
  if (raw === null || raw === "") {
    return { value: undefined };
  }
  if (field.type === PAIRS) {
    return { value: parseArguments([field], { [name]: raw }, {}).values[name] as InputParameter["value"] };
  }
  if (field.type === TEXT_OR_LIST) {
    const list = typeof raw === "string" ? listIn(raw) : undefined;
    return list ? { ...jsonType(list), value: list } : { type: "STRING", items: undefined, value: raw };
  }
  if (input.type === "BOOLEAN" && field.type !== ANY) {
    return { value: raw === YES };
  }
  const { values, errors } = parseValues([{ ...field, type: input.type }], { [name]: raw });
  const error = errors[name];
  if (error !== undefined) {
    // The server reports numbers that are none.
    return isJson(input) ? { error } : { value: raw };
  }
  const value = values[name] as InputParameter["value"];
  return field.type === ANY && isJson(input) ? { ...jsonType(value), value } : { value };
}

/** The type of an input for a JSON value. */
function jsonType(value: unknown): Pick<InputParameter, "type" | "items" | "properties"> {
  return Array.isArray(value)
    ? { type: "ARRAY", items: itemsOf(value[0]), properties: undefined }
    : { type: "OBJECT", items: undefined, properties: [] };
}

function itemsOf(first: unknown): Items {
  switch (typeof first) {
    case "object":
      return { type: "OBJECT", properties: [] };
    case "number":
      return { type: "FLOAT" };
    case "boolean":
      return { type: "BOOLEAN" };
    default:
      return { type: "STRING" };
  }
}

/** The input as text or as JSON, without its value. */
export const asFormat = (json: boolean): Partial<InputParameter> => ({
  type: json ? "OBJECT" : "STRING",
  items: undefined,
  properties: json ? [] : undefined,
  value: undefined,
});

/** Whether a parameter can be connected to an output, where its type may follow that of the output. */
export function acceptsOutput(
  { field, input }: ToolParameter,
  source: Task,
  output: OutputParameter,
): boolean {
  const types = acceptedInputTypes(output.type);
  return field.type === ANY
    ? types !== null
    : field.type === TEXT_OR_LIST
      ? (types?.includes("STRING") ?? false)
      : accepts(source, output, input);
}

/** The type of an input that accepts any output, for this one. */
export function typeFor(source: Task, output: OutputParameter): Partial<InputParameter> {
  const type = acceptedInputTypes(output.type)?.[0] ?? "STRING";
  return forEachInputOf(source) === null
    ? { type, items: undefined, properties: undefined }
    : { type: "ARRAY", items: { type }, properties: undefined };
}

/** Sets an input of a task by its name. An input with a value of another source loses its connection. */
export function withInput(document: WorkflowDocument, task: Task, input: InputParameter): WorkflowDocument {
  const inputs = inputsOf(task);
  const index = inputs.findIndex(({ name }) => name === input.name);
  const changed = {
    ...document,
    tasks: document.tasks.map((each) =>
      each.id === task.id
        ? { ...each, input_parameters: index < 0 ? [...inputs, input] : inputs.with(index, input) }
        : each,
    ),
  };
  return input.source === "system_generated" && input.data_source !== "DATA_LAKE"
    ? changed
    : connectInput(changed, { task: task.id, input: input.name }, null);
}
