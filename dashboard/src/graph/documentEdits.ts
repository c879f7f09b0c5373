import type {
  Connection,
  Dependency,
  InputParameter,
  TaskKind,
  OutputParameter,
  Task,
  WorkflowDocument,
} from "./document";
import { inputsOf, outputsOf } from "./document";

/** Edits to a definition; each returns a new document and does not modify the old one. */

function freeId(document: WorkflowDocument, preferred: string): string {
  const taken = new Set(document.tasks.map((task) => task.id));
  let id = preferred;
  for (let count = 2; taken.has(id); count++) {
    id = `${preferred}_${count}`;
  }
  return id;
}

/** Adds a task with one output; also returns its ID. */
export function addTask(
  document: WorkflowDocument,
  kind: TaskKind,
): { document: WorkflowDocument; id: string } {
  const id = freeId(document, kind.toLowerCase());
  const task: Task = {
    id,
    kind,
    name: `${kind} task`,
    instructions: "",
    input_parameters: [],
    expected_output: [{ name: "result", type: "STRING", description: "The result" }],
  };
  return { document: { ...document, tasks: [...document.tasks, task] }, id };
}

export function removeTask(document: WorkflowDocument, id: string): WorkflowDocument {
  return {
    ...document,
    tasks: document.tasks.filter((task) => task.id !== id),
    connections: (document.connections ?? []).filter((each) => each.from.task !== id && each.to.task !== id),
    dependencies: (document.dependencies ?? []).filter((each) => each.from !== id && each.to !== id),
  };
}

/** Replaces a task; renamed inputs and outputs keep their connections. */
export function replaceTask(document: WorkflowDocument, old: Task, task: Task): WorkflowDocument {
  const inputs = renames(inputsOf(old).map(nameOf), inputsOf(task).map(nameOf));
  const outputs = renames(outputsOf(old).map(nameOf), outputsOf(task).map(nameOf));
  const taskId = (id: string) => (id === old.id ? task.id : id);
  return {
    ...document,
    tasks: document.tasks.map((each) => (each.id === old.id ? task : each)),
    connections: (document.connections ?? []).map(({ from, to }) => ({
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

/** Maps old to new names; empty if entries were added or removed. */
function renames(before: string[], after: string[]): Map<string, string> {
  return before.length === after.length
    ? new Map(before.map((name, index) => [name, after[index]!]))
    : new Map();
}

export function connect(document: WorkflowDocument, connection: Connection): WorkflowDocument {
  return { ...document, connections: [...(document.connections ?? []), connection] };
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
  return { ...document, connections: from ? [...others, { from, to }] : others };
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
