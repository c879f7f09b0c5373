import {
  declaredOutputsOf,
  inputsOf,
  isObject,
  type Task,
  type WorkflowDocument,
} from "../../graph/document";
import { ERROR_POLICIES, ITEM_FAILURES, JOINS } from "./choices";
import { DATA_SOURCES, SOURCES } from "./sources";

/** A changed field as text; null where the field is absent. */
export interface FieldChange {
  label: string;
  before: string | null;
  after: string | null;
}

export interface TaskChange {
  id: string;
  name: string;
  kind: string;
  change: "added" | "removed" | "changed";
  fields: FieldChange[];
}

export interface Changes {
  /** Changes of the agent itself. */
  agent: FieldChange[];
  tasks: TaskChange[];
}

const TASK_LABELS: Record<string, string> = {
  kind: "Kind",
  name: "Name",
  instructions: "Instructions",
  error_policy: "On failure",
  when: "Run only if",
  join: "Join",
  "for_each.input": "For each item of",
  "for_each.max_parallel": "Items at a time",
  "for_each.on_error": "If an item fails",
  "repeat.until": "Repeat until",
  "repeat.max": "At most (runs)",
  tools: "Tools",
  "limits.model_calls": "Limit of model calls",
  "limits.tool_calls": "Limit of tool calls",
  "limits.tokens": "Limit of tokens",
  "limits.cost": "Limit of cost",
  due_in_minutes: "Due after (minutes)",
  provider: "Provider",
  tool_name: "Tool",
  tool_id: "Tool ID",
  code_artifact_id: "Code",
};

/** The choices of the form by field. */
const CHOICES: Record<string, { value: string; label: string }[]> = {
  error_policy: ERROR_POLICIES,
  join: JOINS,
  "for_each.on_error": ITEM_FAILURES,
};

const choiceText = (field: string, value: unknown): string =>
  CHOICES[field]?.find((choice) => choice.value === value)?.label ?? asText(value);

const PARAMETER_LABELS: Record<string, string> = {
  type: "Type",
  description: "Description",
  required: "Required",
  source: "Source",
  value: "Value",
  items: "Items",
  properties: "Properties",
  data_source: "Data source",
  data_lake_id: "Data set",
  filter: "Row filter",
  columns: "Columns",
  limit: "Row limit",
};

const AGENT_LABELS: Record<string, string> = {
  name: "Name",
  description: "Description",
  assignment_rules: "Assignment rules",
  "limits.model_calls": "Limit of model calls",
  "limits.tool_calls": "Limit of tool calls",
  "limits.tokens": "Limit of tokens",
  "limits.cost": "Limit of cost",
};

/** Compares two definitions by task, in the order of the newer one; removed tasks come last. */
export function changesBetween(before: WorkflowDocument, after: WorkflowDocument): Changes {
  const older = new Map(before.tasks.map((task) => [task.id, task]));
  const newer = new Set(after.tasks.map((task) => task.id));
  // The same name on both sides, so that a new name is a change of its own task only.
  const names = namesOf(before, after);
  const change = (task: Task, kind: TaskChange["change"], fields: FieldChange[]): TaskChange => ({
    id: task.id,
    name: task.name || task.id,
    kind: task.kind,
    change: kind,
    fields,
  });
  const tasks = [
    ...after.tasks.flatMap((task) => {
      const old = older.get(task.id);
      const fields = differences(
        old ? fieldsOf(before, old, names) : new Map(),
        fieldsOf(after, task, names),
      );
      return fields.length > 0 ? [change(task, old ? "changed" : "added", fields)] : [];
    }),
    ...before.tasks
      .filter((task) => !newer.has(task.id))
      .map((task) => change(task, "removed", differences(fieldsOf(before, task, names), new Map()))),
  ];
  return { agent: differences(plainFields(before, AGENT_LABELS), plainFields(after, AGENT_LABELS)), tasks };
}

/** The newer definition with the tasks that it lacks, and their connections, to show both in one graph. */
export function withRemovedTasks(before: WorkflowDocument, after: WorkflowDocument): WorkflowDocument {
  const kept = new Set(after.tasks.map((task) => task.id));
  const removed = before.tasks.filter((task) => !kept.has(task.id));
  const ids = new Set(removed.map((task) => task.id));
  const all = new Set([...kept, ...ids]);
  const isRemoved = (from: string, to: string) =>
    (ids.has(from) || ids.has(to)) && all.has(from) && all.has(to);
  return {
    ...after,
    tasks: [...after.tasks, ...removed],
    connections: [
      ...(after.connections ?? []),
      ...(before.connections ?? []).filter(({ from, to }) => isRemoved(from.task, to.task)),
    ],
    dependencies: [
      ...(after.dependencies ?? []),
      ...(before.dependencies ?? []).filter(({ from, to }) => isRemoved(from, to)),
    ],
  };
}

function differences(before: Map<string, string>, after: Map<string, string>): FieldChange[] {
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((label) => ({ label, before: before.get(label) ?? null, after: after.get(label) ?? null }))
    .filter((field) => field.before !== field.after);
}

/** Fields and their members, such as `repeat.until`. */
function plainFields(owner: object, labels: Record<string, string>): Map<string, string> {
  const valueOf = (key: string) =>
    key.split(".").reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), owner);
  return new Map(
    Object.entries(labels)
      .filter(([key]) => isSet(valueOf(key)))
      .map(([key, label]) => [label, choiceText(key, valueOf(key))]),
  );
}

type Names = ReadonlyMap<string, string>;

const namesOf = (...documents: WorkflowDocument[]): Names =>
  new Map(documents.flatMap(({ tasks }) => tasks.map(({ id, name }) => [id, name || id] as const)));

/** The fields of a task by label as texts, with the connections and dependencies that lead to it. */
export function fieldsOf(
  document: WorkflowDocument,
  task: Task,
  names: Names = namesOf(document),
): Map<string, string> {
  const nameOf = (id: string) => `“${names.get(id) ?? id}”`;
  const fields = plainFields(task, TASK_LABELS);
  for (const { name, ...input } of inputsOf(task)) {
    fields.set(`Input ${name}`, parameterText(input));
  }
  for (const { name, ...output } of declaredOutputsOf(task)) {
    fields.set(`Output ${name || output.type}`, parameterText(output));
  }
  for (const { from, to } of document.connections ?? []) {
    if (to.task === task.id) {
      fields.set(`Connection to ${to.input}`, `${from.output} of ${nameOf(from.task)}`);
    }
  }
  const runsAfter = (document.dependencies ?? []).filter((each) => each.to === task.id);
  if (runsAfter.length > 0) {
    fields.set(
      "Runs after",
      runsAfter
        .map((each) => nameOf(each.from))
        .toSorted()
        .join("\n"),
    );
  }
  return fields;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** One line per field that is set, always in the same order, so that equal values have equal text. */
const parameterText = (parameter: object): string =>
  Object.entries({ ...PARAMETER_LABELS, ...parameter })
    .map(([key]) => [PARAMETER_LABELS[key] ?? key, (parameter as Record<string, unknown>)[key]] as const)
    .filter(([, value]) => isSet(value))
    .map(([label, value]) => `${label}: ${isSource(label) ? sourceText(value) : asText(value)}`)
    .join("\n");

const isSource = (label: string) =>
  label === PARAMETER_LABELS.source || label === PARAMETER_LABELS.data_source;

const sourceText = (source: unknown): string =>
  [...SOURCES, ...DATA_SOURCES].find(({ value }) => value === source)?.label ?? asText(source);

/** The types of values in words. Those of files, such as PDF, are words already. */
const TYPE_WORDS: Record<string, string> = {
  STRING: "Text",
  INTEGER: "Whole number",
  FLOAT: "Number",
  BOOLEAN: "Yes or no",
  DATETIME: "Date and time",
  ARRAY: "List",
  OBJECT: "Structure",
};

/** The fields of a task for paper, where the types of values are in words. */
export const printedFields = (document: WorkflowDocument, task: Task): Map<string, string> =>
  new Map(
    [...fieldsOf(document, task)].map(([label, text]) => [
      label,
      /^(In|Out)put /.test(label)
        ? text.replace(/^Type: (\w+)$/m, (_, type: string) => `Type: ${TYPE_WORDS[type] ?? type}`)
        : text,
    ]),
  );

const asText = (value: unknown): string =>
  typeof value === "string"
    ? value
    : typeof value === "boolean"
      ? value
        ? "Yes"
        : "No"
      : (JSON.stringify(value, null, 2) ?? "");
