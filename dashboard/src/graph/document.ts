import type { Schemas } from "../api";

/** Drafts may hold any word where the schema lists some. */
type Draft<T> = T extends string
  ? string
  : T extends (infer E)[]
    ? Draft<E>[]
    : T extends object
      ? { [K in keyof T]: Draft<T[K]> }
      : T;

/** The workflow definition. Drafts may be incomplete or malformed, so code must not rely on any field. */
export type WorkflowDocument = Omit<Schemas["workflow"], "tasks"> & { tasks: Task[] };
export type AssignmentRule = Schemas["assignment_rule"];
export type Connection = Schemas["connection"];
export type Dependency = Schemas["dependency"];
export type Property = Draft<Schemas["property"]>;
export type Items = Draft<Schemas["items"]>;
export type InputParameter = Draft<Omit<Schemas["input_parameter"], "filter">> & {
  filter?: RowFilter | null;
};
export type OutputParameter = Draft<Schemas["output_parameter"]>;

export type TaskKind = Schemas["task"]["kind"];
type TaskOfKind = Schemas[`${Lowercase<TaskKind>}_task`];
type Parameters = { input_parameters?: InputParameter[] | null; expected_output?: OutputParameter[] | null };
type CommonKey = Exclude<keyof TaskOfKind, keyof Parameters>;
type KeyOf<T> = T extends unknown ? keyof T : never;
type ValueOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/** A task of any kind: fields of a single kind are optional. */
export type Task = Pick<TaskOfKind, CommonKey> &
  Parameters & { [K in Exclude<KeyOf<TaskOfKind>, keyof TaskOfKind>]?: ValueOf<TaskOfKind, K> };

type Filter = Schemas["row_filter"];
type Operator = NonNullable<Filter["op"]>;

/** Compares a column with a value or with another input of the task. */
export type FilterCondition = Pick<Filter, "value" | "input"> & { column: string; op: Operator };

/** A tree of conditions that selects the rows of a data set. */
export type RowFilter = FilterCondition | { all: RowFilter[] } | { any: RowFilter[] } | { not: RowFilter };

/** The words of a generated type in the order of the editor. The compiler refuses missing and unknown ones. */
const words = <T extends string>(all: Record<T, true>): readonly T[] => Object.keys(all) as T[];

type NullTest = "is_null" | "is_not_null";
type BasicOutput = Schemas["property"]["type"] | "DATETIME";

export const PROPERTY_TYPES = words<Schemas["property"]["type"]>({
  STRING: true,
  INTEGER: true,
  FLOAT: true,
  BOOLEAN: true,
});
export const VALUE_TYPES = words<Schemas["input_parameter"]["type"]>({
  STRING: true,
  INTEGER: true,
  FLOAT: true,
  BOOLEAN: true,
  ARRAY: true,
  OBJECT: true,
});
export const BASIC_OUTPUTS = words<BasicOutput>({
  STRING: true,
  INTEGER: true,
  FLOAT: true,
  BOOLEAN: true,
  DATETIME: true,
});
export const FILE_OUTPUTS = words<Exclude<Schemas["output_parameter"]["type"], BasicOutput>>({
  TEXT: true,
  MARKDOWN: true,
  HTML: true,
  CODE: true,
  PDF: true,
  CSV: true,
  XML: true,
  FILE: true,
  PPT: true,
});
export const NULL_TESTS = words<NullTest>({ is_null: true, is_not_null: true });
export const COMPARISONS = words<Exclude<Operator, NullTest>>({
  "=": true,
  "!=": true,
  "<": true,
  "<=": true,
  ">": true,
  ">=": true,
  in: true,
  contains: true,
  starts_with: true,
});

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const objects = <T>(value: unknown): T[] => (Array.isArray(value) ? (value.filter(isObject) as T[]) : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Makes any JSON drawable: lists where the graph needs lists, and tasks with IDs. Everything else stays as it is. */
export function asDocument(value: unknown): WorkflowDocument {
  const found = isObject(value) ? value : {};
  return {
    ...found,
    name: text(found.name),
    assignment_rules: objects<AssignmentRule>(found.assignment_rules),
    tasks: objects<Task>(found.tasks).map((task) => ({
      ...task,
      id: text(task.id),
      name: text(task.name),
      instructions: text(task.instructions),
    })),
    connections: objects<Connection>(found.connections).filter(
      (each) => isObject(each.from) && isObject(each.to),
    ),
    dependencies: objects<Dependency>(found.dependencies),
  };
}

export const inputsOf = (task: Task): InputParameter[] => objects(task.input_parameters);

export const connectionTo = (document: WorkflowDocument, task: Task, input: InputParameter) =>
  document.connections?.find((each) => each.to.task === task.id && each.to.input === input.name);

/** Whether the input can be connected to an output, and is not. */
export const isUnconnected = (document: WorkflowDocument, task: Task, input: InputParameter): boolean =>
  input.source === "system_generated" &&
  input.data_source !== "DATA_LAKE" &&
  connectionTo(document, task, input) === undefined;

/** The outputs as written, which may lack names. */
export const declaredOutputsOf = (task: Task): OutputParameter[] => objects(task.expected_output);

/** An output with the name that the server gives it. */
export type NamedOutput = OutputParameter & { name: string };

/**
 * Unnamed file outputs get the names "file", "file_2" and so on, skipping names that the task already uses. Other
 * outputs without a name keep an empty one.
 */
export function outputsOf(task: Task): NamedOutput[] {
  const outputs = declaredOutputsOf(task);
  const given = new Set(outputs.map((each) => each.name));
  let last = 0;
  const next = (): string => {
    last++;
    const name = last === 1 ? "file" : `file_${last}`;
    return given.has(name) ? next() : name;
  };
  return outputs.map((each) => ({ ...each, name: each.name || (isFile(each.type) ? next() : "") }));
}

/** The output that the next task most likely needs: the first one, or the first text that a tool returns. */
export function mainOutputOf(task: Task): NamedOutput | undefined {
  const outputs = outputsOf(task);
  return (task.kind === "App" ? outputs.find(({ type }) => type === "STRING") : undefined) ?? outputs[0];
}

const isFile = (output: string): boolean => (FILE_OUTPUTS as readonly string[]).includes(output);

/** The input types that accept an output type; null for an unknown output type. */
export function acceptedInputTypes(output: string): string[] | null {
  switch (output) {
    case "BOOLEAN":
      return ["BOOLEAN"];
    case "INTEGER":
      return ["INTEGER", "FLOAT"];
    case "FLOAT":
      return ["FLOAT"];
    default:
      return output === "STRING" || output === "DATETIME" || isFile(output) ? ["STRING"] : null;
  }
}

/** The input for whose items the task runs; null unless it runs once per item. */
export function forEachInputOf({ for_each: forEach }: Task): string | null {
  return isObject(forEach) ? text(forEach.input) : null;
}

/** Whether an input accepts an output of a task. The outputs of a task that runs for each item are arrays. */
export function accepts(
  source: Task,
  output: Pick<OutputParameter, "type">,
  input: Pick<InputParameter, "type" | "items">,
): boolean {
  const accepted = acceptedInputTypes(output.type) ?? [];
  return forEachInputOf(source) === null
    ? accepted.includes(input.type)
    : input.type === "ARRAY" && accepted.includes(input.items?.type ?? "");
}

/** The reason why a connection is invalid; null if it is valid. */
export function connectionError(document: WorkflowDocument, connection: Connection): string | null {
  const from = document.tasks.find((task) => task.id === connection.from.task);
  const to = document.tasks.find((task) => task.id === connection.to.task);
  const output = from && outputsOf(from).find((each) => each.name === connection.from.output);
  const input = to && inputsOf(to).find((each) => each.name === connection.to.input);
  if (!from || !to || !output || !input) {
    return "Connect an output of one task to an input of another.";
  }
  if (from.id === to.id) {
    return "A task can’t use its own output.";
  }
  if (!accepts(from, output, input)) {
    const list = forEachInputOf(from) === null ? "" : "ARRAY of ";
    const accepted = acceptedInputTypes(output.type)?.join(" or ");
    const type =
      input.type === "ARRAY" ? `ARRAY of ${input.items?.type ?? "items without a type"}` : input.type;
    return `“${from.name}” outputs ${connection.from.output} as ${list}${output.type}, but “${to.name}” expects ${input.name} as ${type}. ${list}${output.type} connects only to ${accepted === undefined ? "nothing" : list + accepted}.`;
  }
  return closesCycle(document, from.id, to.id)
    ? `“${to.name}” already runs before “${from.name}”: that would create a loop.`
    : null;
}

/** Whether an edge between two tasks would close a cycle. */
export function closesCycle(document: WorkflowDocument, from: string, to: string): boolean {
  const next = new Map<string, string[]>();
  for (const [a, b] of edgesOf(document)) {
    next.set(a, [...(next.get(a) ?? []), b]);
  }
  const seen = new Set<string>();
  const open = [to];
  while (open.length > 0) {
    const id = open.pop()!;
    if (id === from) {
      return true;
    }
    if (!seen.has(id)) {
      seen.add(id);
      open.push(...(next.get(id) ?? []));
    }
  }
  return false;
}

/** The edges between tasks, from connections and dependencies. */
export function edgesOf(document: WorkflowDocument): [string, string][] {
  return [
    ...(document.connections ?? []).map((each): [string, string] => [each.from.task, each.to.task]),
    ...(document.dependencies ?? []).map((each): [string, string] => [each.from, each.to]),
  ];
}
