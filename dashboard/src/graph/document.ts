/** The workflow definition. Drafts may be incomplete or malformed, so code must not rely on any field. */
export interface WorkflowDocument {
  name: string;
  description?: string | null;
  assignment_rules: AssignmentRule[];
  tasks: Task[];
  connections?: Connection[] | null;
  dependencies?: Dependency[] | null;
}

export interface AssignmentRule {
  rule_type: "Human Feedback" | "Exception";
  assignment_type: "User" | "Team";
  assignee_id: string;
}

export const TASK_KINDS = ["AI", "Human", "App", "Coder"] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

export interface Task {
  id: string;
  kind: TaskKind;
  name: string;
  instructions: string;
  error_policy?: "RAISE" | "IGNORE" | "RETRY" | null;
  input_parameters?: InputParameter[] | null;
  expected_output?: OutputParameter[] | null;
  provider?: string;
  tool_name?: string;
  tool_id?: number;
  code_artifact_id?: number;
  /** The tools that the model of an AI task may call. */
  tools?: number[] | null;
  /** The time until the ticket of a Human task is due. */
  due_in_minutes?: number | null;
}

export const VALUE_TYPES = ["STRING", "INTEGER", "FLOAT", "BOOLEAN", "ARRAY", "OBJECT"] as const;
export const PROPERTY_TYPES = ["STRING", "INTEGER", "FLOAT", "BOOLEAN"] as const;
export const SOURCES = ["task_config", "system_generated", "human_input"] as const;
export const BASIC_OUTPUTS = ["STRING", "INTEGER", "FLOAT", "BOOLEAN", "DATETIME"] as const;
export const FILE_OUTPUTS = ["TEXT", "MARKDOWN", "HTML", "CODE", "PDF", "CSV", "XML", "FILE", "PPT"] as const;

export interface Property {
  name: string;
  type: string;
  description: string;
  required?: boolean | null;
}

export interface Items {
  type: string;
  items?: Items | null;
  properties?: Property[] | null;
}

export interface InputParameter {
  name: string;
  type: string;
  description: string;
  required?: boolean | null;
  source: string;
  value?: unknown;
  items?: Items | null;
  properties?: Property[] | null;
  data_source?: string | null;
  data_lake_id?: string | null;
  filter?: RowFilter | null;
  columns?: string[] | null;
  limit?: number | null;
}

export const COMPARISONS = ["=", "!=", "<", "<=", ">", ">=", "in", "contains", "starts_with"] as const;
export const NULL_TESTS = ["is_null", "is_not_null"] as const;

/** Compares a column with a value or with another input of the task. */
export interface FilterCondition {
  column: string;
  op: (typeof COMPARISONS)[number] | (typeof NULL_TESTS)[number];
  value?: unknown;
  input?: string | null;
}

/** A tree of conditions that selects the rows of a data set. */
export type RowFilter = FilterCondition | { all: RowFilter[] } | { any: RowFilter[] } | { not: RowFilter };

export interface OutputParameter {
  name?: string | null;
  type: string;
  description: string;
}

export interface Connection {
  from: { task: string; output: string };
  to: { task: string; input: string };
}

export interface Dependency {
  from: string;
  to: string;
}

function isObject(value: unknown): value is Record<string, unknown> {
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
  const accepted = acceptedInputTypes(output.type);
  if (!accepted?.includes(input.type)) {
    return `“${from.name}” outputs ${connection.from.output} as ${output.type}, but “${to.name}” expects ${input.name} as ${input.type}. ${output.type} connects only to ${accepted?.join(" or ") ?? "nothing"}.`;
  }
  if ((document.connections ?? []).some((each) => each.to.task === to.id && each.to.input === input.name)) {
    return `The input ${input.name} of “${to.name}” is already connected. An input takes one connection.`;
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
