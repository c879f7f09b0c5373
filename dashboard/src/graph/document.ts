/** The workflow definition as the service takes it; a draft may lack anything, so readers must not trust it. */
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

export const KINDS = ["AI", "Human", "App", "Coder"] as const;
export type Kind = (typeof KINDS)[number];

export interface Task {
  id: string;
  kind: Kind;
  name: string;
  instructions: string;
  error_policy?: "RAISE" | "IGNORE" | "RETRY" | null;
  input_parameters?: InputParameter[] | null;
  expected_output?: OutputParameter[] | null;
  provider?: string;
  tool_name?: string;
  tool_id?: number;
  code_artifact_id?: number;
  /** Which tools an AI task's model may use. */
  tools?: number[] | null;
  /** How long people have for a Human task's ticket. */
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

/** One comparison of a column, with a value or with another input of the task. */
export interface Condition {
  column: string;
  op: (typeof COMPARISONS)[number] | (typeof NULL_TESTS)[number];
  value?: unknown;
  input?: string | null;
}

/** Which rows of a data lake an input takes; a tree. */
export type RowFilter = Condition | { all: RowFilter[] } | { any: RowFilter[] } | { not: RowFilter };

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

/** A document of which the graph can be drawn: lists where lists belong, tasks with ids; everything else stays. */
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
/** As they stand in the document. */
export const writtenOutputsOf = (task: Task): OutputParameter[] => objects(task.expected_output);

/** An output as the service calls it: a file output may go without a name. */
export type NamedOutput = OutputParameter & { name: string };

/**
 * The outputs with their names: file outputs that give none are called "file", "file_2" and so on, without names that
 * others of the task have. Other outputs need a name; without one they stay nameless.
 */
export function outputsOf(task: Task): NamedOutput[] {
  const outputs = writtenOutputsOf(task);
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

/** The input types that take an output's values; null for an output type that does not exist. */
export function acceptedBy(output: string): string[] | null {
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

/** Why a connection cannot be made, as a sentence; null when it can. */
export function refusal(document: WorkflowDocument, wanted: Connection): string | null {
  const from = document.tasks.find((task) => task.id === wanted.from.task);
  const to = document.tasks.find((task) => task.id === wanted.to.task);
  const output = from && outputsOf(from).find((each) => each.name === wanted.from.output);
  const input = to && inputsOf(to).find((each) => each.name === wanted.to.input);
  if (!from || !to || !output || !input) {
    return "A connection leads from an output of a task to an input of another.";
  }
  if (from.id === to.id) {
    return "A task cannot take its own output.";
  }
  const accepted = acceptedBy(output.type);
  if (!accepted?.includes(input.type)) {
    return `“${from.name}” gives ${wanted.from.output} as ${output.type}, but “${to.name}” takes ${input.name} as ${input.type}. ${output.type} connects only to ${accepted?.join(" or ") ?? "nothing"}.`;
  }
  if ((document.connections ?? []).some((each) => each.to.task === to.id && each.to.input === input.name)) {
    return `The input ${input.name} of “${to.name}” has a connection already; an input takes one.`;
  }
  return closesCycle(document, from.id, to.id)
    ? `“${to.name}” comes before “${from.name}” already; this would make a circle.`
    : null;
}

/** Whether an edge between two tasks would make a circle. */
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

/** Which task comes before which, by connections and dependencies. */
export function edgesOf(document: WorkflowDocument): [string, string][] {
  return [
    ...(document.connections ?? []).map((each): [string, string] => [each.from.task, each.to.task]),
    ...(document.dependencies ?? []).map((each): [string, string] => [each.from, each.to]),
  ];
}
