import {
  declaredOutputsOf,
  inputsOf,
  isObject,
  type Task,
  type WorkflowDocument,
} from "../../graph/document";

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
      const fields = differences(old ? fieldsOf(before, old) : new Map(), fieldsOf(after, task));
      return fields.length > 0 ? [change(task, old ? "changed" : "added", fields)] : [];
    }),
    ...before.tasks
      .filter((task) => !newer.has(task.id))
      .map((task) => change(task, "removed", differences(fieldsOf(before, task), new Map()))),
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
      .map(([key, label]) => [label, asText(valueOf(key))]),
  );
}

/** The fields of a task by label as texts, with the connections and dependencies that lead to it. */
export function fieldsOf(document: WorkflowDocument, task: Task): Map<string, string> {
  const fields = plainFields(task, TASK_LABELS);
  for (const { name, ...input } of inputsOf(task)) {
    fields.set(`Input ${name}`, asText(withoutUnset(input)));
  }
  for (const { name, ...output } of declaredOutputsOf(task)) {
    fields.set(`Output ${name || output.type}`, asText(withoutUnset(output)));
  }
  for (const { from, to } of document.connections ?? []) {
    if (to.task === task.id) {
      fields.set(`Connection to ${to.input}`, `${from.task}.${from.output}`);
    }
  }
  const runsAfter = (document.dependencies ?? []).filter((each) => each.to === task.id);
  if (runsAfter.length > 0) {
    fields.set(
      "Runs after",
      runsAfter
        .map((each) => each.from)
        .toSorted()
        .join(", "),
    );
  }
  return fields;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** Without absent values and with sorted keys, so that equal values have equal text. */
function withoutUnset(value: object): object {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => isSet(each))
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );
}

const asText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
