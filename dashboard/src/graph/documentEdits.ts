import type {
  Connection,
  Dependency,
  InputParameter,
  TaskKind,
  OutputParameter,
  Task,
  WorkflowDocument,
} from "./document";
import { renameInFlow, type Renames } from "./controlFlow";
import {
  acceptedInputTypes,
  accepts,
  BASIC_OUTPUTS,
  closesCycle,
  connectionError,
  edgesOf,
  forEachInputOf,
  inputsOf,
  outputsOf,
  type NamedOutput,
} from "./document";

/** Edits to a definition; each returns a new document and does not modify the old one. */

export function freeId(document: WorkflowDocument, preferred: string): string {
  const taken = new Set(document.tasks.map((task) => task.id));
  let id = preferred;
  for (let count = 2; taken.has(id); count++) {
    id = `${preferred}_${count}`;
  }
  return id;
}

/** The name, or the name with the next number if another task has it. */
export function freeName(document: WorkflowDocument, preferred: string): string {
  const taken = new Set(document.tasks.map((task) => task.name));
  const [, base = preferred, number = "1"] = /^(.*?)(?: (\d{1,3}))?$/.exec(preferred) ?? [];
  let name = preferred;
  for (let count = Number(number) + 1; taken.has(name); count++) {
    name = `${base} ${count}`;
  }
  return name;
}

/** The description of an output that nobody has described. */
const outputDescription = (name: string) => `The ${name.replaceAll(/[_-]+/g, " ").trim()}`;

/** The output under a new name, which a description that nobody has written follows. */
export function renamedOutput(output: OutputParameter, name: string): OutputParameter {
  const isDefault = output.description === outputDescription(output.name ?? "");
  return { ...output, name, ...(isDefault ? { description: outputDescription(name) } : {}) };
}

/** A task of a kind with one output, and the given fields. */
export function newTask(document: WorkflowDocument, kind: TaskKind, fields: Partial<Task> = {}): Task {
  return {
    id: freeId(document, kind.toLowerCase()),
    kind,
    instructions: "",
    input_parameters: [],
    expected_output: [{ name: "result", type: "STRING", description: outputDescription("result") }],
    ...fields,
    name: freeName(document, fields.name ?? `${kind} task`),
  };
}

/** Adds a task with one output; also returns its ID. */
export function addTask(
  document: WorkflowDocument,
  kind: TaskKind,
  fields: Partial<Task> = {},
): { document: WorkflowDocument; id: string } {
  const task = newTask(document, kind, fields);
  return { document: { ...document, tasks: [...document.tasks, task] }, id: task.id };
}

/** A name such as "input_3" that is not in use. */
export function numberedName(
  kind: "input" | "output" | "property",
  existing: { name?: string | null }[],
): string {
  let number = existing.length + 1;
  while (existing.some(({ name }) => name === `${kind}_${number}`)) {
    number++;
  }
  return `${kind}_${number}`;
}

/** An empty input, which takes an output of a task before it, or else a value of the start of the run. */
export function newInput(document: WorkflowDocument, task: Task): InputParameter {
  const before = document.tasks.slice(0, document.tasks.indexOf(task));
  const hasPredecessor =
    edgesOf(document).some(([, to]) => to === task.id) ||
    before.some((each) => outputsOf(each).length > 0 && !closesCycle(document, each.id, task.id));
  return {
    name: numberedName("input", inputsOf(task)),
    type: "STRING",
    description: "",
    required: true,
    source: hasPredecessor ? "system_generated" : "human_input",
  };
}

/** The input that takes an output, under a name that the task does not use yet. */
function inputFor(task: Task, source: Task, output: NamedOutput): InputParameter | null {
  const [type] = acceptedInputTypes(output.type) ?? [];
  if (type === undefined) {
    return null;
  }
  const taken = new Set(inputsOf(task).map((each) => each.name));
  let name = output.name;
  for (let count = 2; taken.has(name); count++) {
    name = `${output.name}_${count}`;
  }
  const description = output.description || `The ${output.name}`;
  const value = forEachInputOf(source) === null ? { type } : { type: "ARRAY", items: { type } };
  return { name, ...value, description, required: true, source: "system_generated" };
}

/** An input that waits for such an output: of the same name, or of any name if a schema gives the inputs. */
function waitingInput(
  document: WorkflowDocument,
  task: Task,
  source: Task,
  output: NamedOutput,
): InputParameter | undefined {
  const connected = new Set(
    (document.connections ?? []).filter(({ to }) => to.task === task.id).map(({ to }) => to.input),
  );
  const free = inputsOf(task).filter(
    (each) =>
      accepts(source, output, each) &&
      each.source === "system_generated" &&
      each.name !== undefined &&
      !connected.has(each.name),
  );
  const hasSchema = task.kind === "App" || task.kind === "Coder";
  return free.find((each) => each.name === output.name) ?? (hasSchema ? free[0] : undefined);
}

/** Connects an output to a task, to an input that waits for it or to a new one; a text tells why it can’t. */
export function connectToTask(
  document: WorkflowDocument,
  from: Connection["from"],
  to: string,
): WorkflowDocument | string {
  const source = document.tasks.find((task) => task.id === from.task);
  const target = document.tasks.find((task) => task.id === to);
  const output = source && outputsOf(source).find((each) => each.name === from.output);
  if (!source || !target || !output) {
    return "Connect an output of one task to another task.";
  }
  if (source === target) {
    return "A task can’t use its own output.";
  }
  if (closesCycle(document, source.id, target.id)) {
    return `“${target.name}” already runs before “${source.name}”: that would create a loop.`;
  }
  const waiting = waitingInput(document, target, source, output);
  return waiting
    ? connect(document, { from, to: { task: to, input: waiting.name } })
    : withInputFor(document, { source, output, target });
}

/** Connects an output to a new input of a task; a text tells why it can’t. */
export function withInputFor(
  document: WorkflowDocument,
  { source, output, target }: { source: Task; output: NamedOutput; target: Task },
): WorkflowDocument | string {
  const input = inputFor(target, source, output);
  if (!input) {
    return `${output.name} of “${source.name}” has the unknown type ${output.type}.`;
  }
  const extended = { ...target, input_parameters: [...inputsOf(target), input] };
  const tasks = document.tasks.map((task) => (task === target ? extended : task));
  return connect(
    { ...document, tasks },
    { from: { task: source.id, output: output.name }, to: { task: target.id, input: input.name } },
  );
}

/** Adds a task that takes an output; also returns its ID. */
export function addTaskAfter(
  document: WorkflowDocument,
  from: Connection["from"] | string,
  kind: TaskKind,
  fields: Partial<Task> = {},
): { document: WorkflowDocument; id: string } {
  const added = addTask(document, kind, fields);
  const connected =
    typeof from === "string"
      ? depend(added.document, { from, to: added.id })
      : connectToTask(added.document, from, added.id);
  return typeof connected === "string" ? added : { document: connected, id: added.id };
}

/** Puts a new task between the two ends of an edge; also returns its ID. */
export function insertOnEdge(
  document: WorkflowDocument,
  edgeId: string,
  kind: TaskKind,
  fields: Partial<Task> = {},
): { document: WorkflowDocument; id: string } {
  const [list, index] = edgeId.split("/");
  const rest = removeEdges(document, [edgeId]);
  const dependency = list === "dependency" ? document.dependencies?.[Number(index)] : undefined;
  if (dependency) {
    const added = addTaskAfter(rest, dependency.from, kind, fields);
    return { ...added, document: depend(added.document, { from: added.id, to: dependency.to }) };
  }
  const connection = document.connections?.[Number(index)];
  if (!connection) {
    return addTask(document, kind, fields);
  }
  const target = document.tasks.find((task) => task.id === connection.to.task);
  const type = target && inputsOf(target).find((each) => each.name === connection.to.input)?.type;
  const result = {
    name: "result",
    type: (BASIC_OUTPUTS as readonly string[]).includes(type ?? "") ? type! : "STRING",
    description: outputDescription("result"),
  };
  const added = addTaskAfter(rest, connection.from, kind, { expected_output: [result], ...fields });
  const task = added.document.tasks.find((each) => each.id === added.id)!;
  const output = outputsOf(task).find(
    (each) =>
      connectionError(added.document, { from: { task: task.id, output: each.name }, to: connection.to }) ===
      null,
  );
  return {
    id: added.id,
    document: output
      ? connect(added.document, { from: { task: task.id, output: output.name }, to: connection.to })
      : depend(added.document, { from: task.id, to: connection.to.task }),
  };
}

export function removeTask(document: WorkflowDocument, id: string): WorkflowDocument {
  return {
    ...document,
    tasks: document.tasks.filter((task) => task.id !== id),
    connections: (document.connections ?? []).filter((each) => each.from.task !== id && each.to.task !== id),
    dependencies: (document.dependencies ?? []).filter((each) => each.from !== id && each.to !== id),
  };
}

/**
 * Replaces a task. Renamed tasks, inputs and outputs keep their connections and their places in conditions, and removed
 * ones lose their connections.
 */
export function replaceTask(document: WorkflowDocument, old: Task, task: Task): WorkflowDocument {
  const inputs = renames(inputsOf(old).map(nameOf), inputsOf(task).map(nameOf));
  const outputs = renames(outputsOf(old).map(nameOf), outputsOf(task).map(nameOf));
  const lostInputs = removedNames(inputsOf(old).map(nameOf), inputsOf(task).map(nameOf));
  const lostOutputs = removedNames(outputsOf(old).map(nameOf), outputsOf(task).map(nameOf));
  const taskId = (id: string) => (id === old.id ? task.id : id);
  const flow: Renames = { task: [old.id, task.id], inputs, outputs };
  const tasks = document.tasks.map((each) => (each.id === old.id ? task : each));
  return {
    ...document,
    tasks:
      old.id !== task.id || inputs.size + outputs.size > 0
        ? tasks.map((each) => renameInFlow(each, flow))
        : tasks,
    connections: (document.connections ?? [])
      .filter(
        ({ from, to }) =>
          !(from.task === old.id && lostOutputs.has(from.output)) &&
          !(to.task === old.id && lostInputs.has(to.input)),
      )
      .map(({ from, to }) => ({
        from: {
          task: taskId(from.task),
          output: from.task === old.id ? (outputs.get(from.output) ?? from.output) : from.output,
        },
        to: {
          task: taskId(to.task),
          input: to.task === old.id ? (inputs.get(to.input) ?? to.input) : to.input,
        },
      })),
    dependencies: (document.dependencies ?? []).map(({ from, to }) => ({
      from: taskId(from),
      to: taskId(to),
    })),
  };
}

const nameOf = (parameter: InputParameter | OutputParameter): string => parameter.name ?? "";

/** Maps old to new names where they differ; empty if entries were added or removed. */
function renames(before: string[], after: string[]): Map<string, string> {
  return before.length === after.length
    ? new Map(
        before.map((name, index) => [name, after[index]!] as const).filter(([one, other]) => one !== other),
      )
    : new Map();
}

/** The names of entries that a shorter list no longer has. */
const removedNames = (before: string[], after: string[]): ReadonlySet<string> =>
  new Set(after.length < before.length ? before.filter((name) => !after.includes(name)) : []);

export function connect(document: WorkflowDocument, connection: Connection): WorkflowDocument {
  return {
    ...withoutOrder(document, connection),
    tasks: document.tasks.map((task) =>
      task.id === connection.to.task ? fed(task, connection.to.input) : task,
    ),
    connections: [...(document.connections ?? []), connection],
  };
}

const isOfDataSet = (input: InputParameter) => input.data_source === "DATA_LAKE";

/** The fields of an input that gets rows of a data set, without values. */
const NO_DATA_SET = {
  data_source: undefined,
  data_lake_id: undefined,
  filter: undefined,
  columns: undefined,
  limit: undefined,
};

/** The task with an input that takes its value from a connection. */
const fed = (task: Task, name: string): Task => ({
  ...task,
  input_parameters: inputsOf(task).map((input) =>
    input.name === name
      ? { ...input, source: "system_generated", value: undefined, ...(isOfDataSet(input) ? NO_DATA_SET : {}) }
      : input,
  ),
});

/** Without the dependency that a connection between the same tasks makes redundant. */
function withoutOrder(document: WorkflowDocument, { from, to }: Connection): WorkflowDocument {
  const dependencies = document.dependencies?.filter(
    (each) => each.from !== from.task || each.to !== to.task,
  );
  return dependencies?.length === document.dependencies?.length ? document : { ...document, dependencies };
}

/** Connects an input to an output; null disconnects it. */
export function connectInput(
  document: WorkflowDocument,
  to: Connection["to"],
  from: Connection["from"] | null,
): WorkflowDocument {
  const others = (document.connections ?? []).filter(
    (each) => each.to.task !== to.task || each.to.input !== to.input,
  );
  return from
    ? connect({ ...document, connections: others }, { from, to })
    : { ...document, connections: others };
}

export function depend(document: WorkflowDocument, dependency: Dependency): WorkflowDocument {
  return { ...document, dependencies: [...(document.dependencies ?? []), dependency] };
}

/** Replaces the dependencies of a task. */
export function runAfter(document: WorkflowDocument, id: string, before: string[]): WorkflowDocument {
  return {
    ...document,
    dependencies: [
      ...(document.dependencies ?? []).filter((each) => each.to !== id),
      ...before.map((from) => ({ from, to: id })),
    ],
  };
}

/** Removes edges by their IDs in the graph, such as "connection/3" or "dependency/0". */
export function removeEdges(document: WorkflowDocument, ids: string[]): WorkflowDocument {
  const removed = new Set(ids);
  return {
    ...document,
    connections: (document.connections ?? []).filter((_, index) => !removed.has(`connection/${index}`)),
    dependencies: (document.dependencies ?? []).filter((_, index) => !removed.has(`dependency/${index}`)),
  };
}
