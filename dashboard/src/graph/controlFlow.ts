import {
  edgesOf,
  forEachInputOf,
  inputsOf,
  isObject,
  outputsOf,
  type InputParameter,
  type Task,
  type WorkflowDocument,
} from "./document";
import { readable, withRenamed, written } from "./expressions";

/** A name that an expression may use, with its type. */
export interface ExpressionName {
  text: string;
  type: string;
  description: string;
}

/** The prefix of inputs that get an output of the run before. */
export const PREVIOUS = "previous.";

const SYSTEM_VALUES = new Set([
  "human_msg",
  "file_urls",
  "conversation_id",
  "conversation_history",
  "workflow_instance_id",
  "organization_id",
  "current_time",
]);

export const isSystemValue = (name: string): boolean => SYSTEM_VALUES.has(name);

/** The direct predecessors of a task. */
export function predecessorsOf(document: WorkflowDocument, id: string): Task[] {
  const ids = new Set(edgesOf(document).flatMap(([from, to]) => (to === id ? [from] : [])));
  return document.tasks.filter((task) => ids.has(task.id));
}

/** The condition of a task; empty without one. */
export const whenOf = (task: Task): string => (typeof task.when === "string" ? task.when.trim() : "");

/** The condition that ends the iterations of a task; null unless it repeats. */
export function untilOf({ repeat }: Task): string | null {
  return isObject(repeat) ? (typeof repeat.until === "string" ? repeat.until.trim() : "") : null;
}

/** The type of an input, with the items of a list. */
export function typeText(type: string, items?: InputParameter["items"]): string {
  return type === "ARRAY" ? `ARRAY of ${items?.type ?? "STRING"}` : type;
}

/** Whether the value of an input is known before the task starts. */
function isKnown(document: WorkflowDocument, task: Task, input: InputParameter): boolean {
  if (input.data_source === "DATA_LAKE") {
    return false;
  }
  return (
    input.source !== "system_generated" ||
    (isSystemValue(input.name) && input.name !== "conversation_history") ||
    (document.connections ?? []).some(({ to }) => to.task === task.id && to.input === input.name)
  );
}

/** The names that the condition of a task may use: outputs of its predecessors, its inputs and the trigger. */
export function conditionNames(document: WorkflowDocument, task: Task): ExpressionName[] {
  return [
    ...predecessorsOf(document, task.id).flatMap((before) =>
      outputsOf(before).map((output) => ({
        text: written(["tasks", before.id, output.name]),
        type: forEachInputOf(before) === null ? output.type : `ARRAY of ${output.type}`,
        description: before.name || before.id,
      })),
    ),
    ...inputsOf(task)
      .filter((input) => input.name && isKnown(document, task, input))
      .map((input) => ({
        text: written(["inputs", input.name]),
        type: typeText(input.type, input.items),
        description: "Input",
      })),
    { text: "trigger.human_msg", type: "STRING", description: "The message that started the run" },
    { text: "trigger.file_urls", type: "ARRAY of STRING", description: "The files of that message" },
  ];
}

/** The names that the condition of a repeated task may use. */
export const outputNames = (task: Task): ExpressionName[] =>
  outputsOf(task).map(({ name, type }) => ({
    text: written(["outputs", name]),
    type,
    description: "Output of the last run",
  }));

/** The outputs with which a branch can begin: those that are true or false. */
export const booleanOutputsOf = (task: Task): string[] =>
  forEachInputOf(task) === null
    ? outputsOf(task).flatMap(({ name, type }) => (type === "BOOLEAN" && name ? [name] : []))
    : [];

/** Adds a condition to a task; together with the one that it has. */
export function withCondition(document: WorkflowDocument, id: string, condition: string): WorkflowDocument {
  return {
    ...document,
    tasks: document.tasks.map((task) => {
      const when = whenOf(task);
      const before = /\|\||\?/.test(when) ? `(${when})` : when;
      return task.id === id ? { ...task, when: before ? `${before} && ${condition}` : condition } : task;
    }),
  };
}

const DURATIONS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

export type DurationUnit = (typeof DURATIONS)[number][0];

/** The largest unit in which a number of seconds is a whole number. */
export function durationParts(seconds: number): { amount: number; unit: DurationUnit } {
  const [unit, size] = DURATIONS.find(([, each]) => seconds !== 0 && seconds % each === 0) ?? DURATIONS[3];
  return { amount: seconds / size, unit };
}

export const secondsOf = (amount: number, unit: DurationUnit): number =>
  amount * DURATIONS.find(([each]) => each === unit)![1];

/** The built-in tools that wait, for App tasks only. */
export const TIME_WAIT = 3;
export const EVENT_WAIT = 4;

export const waitingToolOf = (task: Task): "time.wait" | "event.wait" | null =>
  task.kind !== "App"
    ? null
    : task.tool_id === TIME_WAIT
      ? "time.wait"
      : task.tool_id === EVENT_WAIT
        ? "event.wait"
        : null;

/** What a task with `time.wait` waits for; the tool takes one of the two inputs. */
export type WaitMode = "seconds" | "until";

export const waitInput = (mode: WaitMode): InputParameter => ({
  name: mode,
  type: mode === "until" ? "STRING" : "FLOAT",
  description: mode === "until" ? "When to continue" : "How long to wait",
  required: true,
  source: "task_config",
});

/** The agent that a task runs as a sub-workflow; null for none. */
export const subWorkflowOf = ({ kind, provider, tool_name: workflow }: Task): string | null =>
  kind === "App" && provider === "workflow" && typeof workflow === "string" ? workflow : null;

/** One line of a task on the canvas. */
export interface FlowBadge {
  kind: "if" | "each" | "repeat" | "wait" | "child";
  text: string;
  /** All of it, where the text is short or truncated. */
  title: string;
}

/** When and how often a task runs, as short texts. */
export function flowBadgesOf(task: Task): FlowBadge[] {
  const badges: FlowBadge[] = [];
  const when = whenOf(task);
  if (when) {
    badges.push({ kind: "if", text: `if ${readable(when)}`, title: `Runs only if ${when}` });
  }
  const input = forEachInputOf(task);
  if (input !== null) {
    badges.push({ kind: "each", text: `for each ${input}`, title: `Runs once for each item of ${input}` });
  }
  const until = untilOf(task);
  if (until !== null) {
    const max = task.repeat?.max;
    badges.push({
      kind: "repeat",
      text: `until ${readable(until)}`,
      title: `Repeats until ${until}${typeof max === "number" ? `, at most ${max} times` : ""}`,
    });
  }
  const wait = waitOf(task);
  if (wait) {
    badges.push({ kind: "wait", text: wait, title: wait });
  }
  if (subWorkflowOf(task) !== null) {
    badges.push({ kind: "child", text: "runs an agent", title: "Runs an agent as a sub-workflow" });
  }
  return badges;
}

function waitOf(task: Task): string | null {
  const tool = waitingToolOf(task);
  if (tool === "event.wait") {
    return "waits for an event";
  }
  if (tool === null) {
    return null;
  }
  const fixed = (name: string) =>
    inputsOf(task).find((each) => each.name === name && each.source === "task_config")?.value;
  const seconds = Number(fixed("seconds") ?? Number.NaN);
  if (Number.isFinite(seconds)) {
    const { amount, unit } = durationParts(seconds);
    return `waits ${amount.toLocaleString()} ${unit}${amount === 1 ? "" : "s"}`;
  }
  const until = fixed("until");
  return typeof until === "string" && until ? `waits until ${until}` : "waits for a time";
}

/** How the names of a task and of its parameters change. */
export interface Renames {
  task: [before: string, after: string];
  inputs: ReadonlyMap<string, string>;
  outputs: ReadonlyMap<string, string>;
}

/** The control flow of a task after names of this or of another task have changed. */
export function renameInFlow(task: Task, { task: [before, after], inputs, outputs }: Renames): Task {
  const isOwn = task.id === after;
  const changed = { ...task };
  if (typeof task.when === "string") {
    changed.when = withRenamed(task.when, ([root = "", owner = "", member, ...rest]) => {
      if (root === "tasks" && owner === before) {
        return member === undefined ? [root, after] : [root, after, outputs.get(member) ?? member, ...rest];
      }
      return root === "inputs" && isOwn && inputs.has(owner)
        ? [root, inputs.get(owner)!, ...(member === undefined ? [] : [member]), ...rest]
        : null;
    });
  }
  if (isOwn && task.repeat && typeof task.repeat.until === "string") {
    changed.repeat = {
      ...task.repeat,
      until: withRenamed(task.repeat.until, ([root = "", name = "", ...rest]) =>
        root === "outputs" && outputs.has(name) ? [root, outputs.get(name)!, ...rest] : null,
      ),
    };
    changed.input_parameters = inputsOf(task).map((input) =>
      input.name?.startsWith(PREVIOUS) && outputs.has(input.name.slice(PREVIOUS.length))
        ? { ...input, name: PREVIOUS + outputs.get(input.name.slice(PREVIOUS.length)) }
        : input,
    );
  }
  if (isOwn && task.for_each && inputs.has(task.for_each.input)) {
    changed.for_each = { ...task.for_each, input: inputs.get(task.for_each.input)! };
  }
  return changed;
}

/** The task with a condition over tasks of other IDs. */
export function withRenamedTasks(task: Task, ids: ReadonlyMap<string, string>): Task {
  return typeof task.when === "string"
    ? {
        ...task,
        when: withRenamed(task.when, ([root = "", id = "", ...rest]) =>
          root === "tasks" && ids.has(id) ? [root, ids.get(id)!, ...rest] : null,
        ),
      }
    : task;
}
