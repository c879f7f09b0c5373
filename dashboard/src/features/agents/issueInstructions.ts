import {
  declaredOutputsOf,
  inputsOf,
  isObject,
  type Connection,
  type WorkflowDocument,
} from "../../graph/document";
import type { ValidationIssue } from "../../values/validation";
import {
  AGENT,
  CONNECTION,
  FILTER,
  FILTER_FIELDS,
  INPUT,
  ITEM,
  ORDER,
  OUTPUT,
  PROPERTY,
  quoted,
  TASK,
  VALUE,
  type Subject,
  type Texts,
} from "./issueTexts";

type Place = Subject & { texts: Texts | undefined };

/**
 * The issue as an instruction to the person who builds the agent, with the names and labels of the form. Issues that
 * only the JSON view can cause keep the precise text of the API. An issue of a connection belongs to the source of its
 * input, where it can be changed.
 */
export function asInstruction(document: WorkflowDocument, issue: ValidationIssue): ValidationIssue {
  const { path = "", code, detail } = issue;
  const keys = keysOf(path);
  const place = placeOf(document, keys);
  const text = code && place.texts?.[code]?.(place, paramsOf(document, issue), detail);
  const connection = keys[0] === "connections" ? document.connections?.[Number(keys[1])] : undefined;
  return {
    ...issue,
    detail: text ?? detail,
    path: (connection && sourceOf(document, connection.to)) ?? path,
  };
}

/** The JSON pointer of the source of an input; undefined if the task has no such input. */
function sourceOf(document: WorkflowDocument, { task, input }: Connection["to"]): string | undefined {
  const index = document.tasks.findIndex(({ id }) => id === task);
  const target = document.tasks[index];
  const place = target ? inputsOf(target).findIndex(({ name }) => name === input) : -1;
  return place < 0 ? undefined : `/tasks/${index}/input_parameters/${place}/source`;
}

const keysOf = (path: string) =>
  path
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

const nameOf = (document: WorkflowDocument, id: string) =>
  quoted(document.tasks.find((each) => each.id === id)?.name || id);

/** The most tasks of a cycle to name. */
const MAX_TASKS = 20;

/** The parameters of the issue as text; the tasks of a cycle by their names. */
function paramsOf(document: WorkflowDocument, { params = {} }: ValidationIssue): Record<string, string> {
  const text = (value: unknown): string =>
    typeof value === "number"
      ? value.toLocaleString("en")
      : Array.isArray(value)
        ? cycleOf(value.map((id) => nameOf(document, String(id))))
        : String(value);
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, text(value)]));
}

const cycleOf = (names: string[]) =>
  (names.length > MAX_TASKS
    ? [...names.slice(0, MAX_TASKS - 2), `… (${names.length - MAX_TASKS} more) …`, ...names.slice(-2)]
    : names
  ).join(" → ");

const isIndex = (key: string | undefined) => key !== undefined && /^\d+$/.test(key);
const patternOf = (keys: readonly string[]) => keys.map((key) => (isIndex(key) ? "*" : key)).join("/");
const numberOf = (index: string | undefined) => Number(index) + 1;

function placeOf(document: WorkflowDocument, keys: readonly string[]): Place {
  const [list, index, ...inner] = keys;
  if (list === "tasks" && index !== undefined) {
    return placeInTask(document, index, inner);
  }
  const connection = list === "connections" ? document.connections?.[Number(index)] : undefined;
  if (connection) {
    const { from, to } = connection;
    return {
      texts: CONNECTION,
      owner: `the output ${quoted(from.output)} of ${nameOf(document, from.task)}`,
      entry: `the input ${quoted(to.input)} of ${nameOf(document, to.task)}`,
    };
  }
  const isOrder = list === "connections" || list === "dependencies";
  return { texts: isOrder ? ORDER : AGENT[patternOf(keys)], owner: "the agent", number: numberOf(index) };
}

function placeInTask(document: WorkflowDocument, index: string, keys: readonly string[]): Place {
  const task = document.tasks[Number(index)];
  const owner = quoted(task?.name || task?.id || `Task ${numberOf(index)}`);
  const [list, at, ...inner] = keys;
  if (list === "expected_output" && at !== undefined) {
    const output = task && declaredOutputsOf(task)[Number(at)];
    return { texts: OUTPUT[patternOf(inner)], ...memberOf("output", output, at, owner) };
  }
  if (list === "input_parameters" && at !== undefined) {
    const input = task && inputsOf(task)[Number(at)];
    const member = { ...memberOf("input", input, at, owner), input };
    return placeInInput(member, inner);
  }
  return { texts: TASK[patternOf(keys)], owner, number: numberOf(at) };
}

function memberOf(what: string, member: unknown, index: string, owner: string) {
  const number = numberOf(index);
  const name = isObject(member) && typeof member.name === "string" ? member.name : "";
  return {
    owner,
    number,
    entry: `${name ? `the ${what} ${quoted(name)}` : `${what} ${number}`} of ${owner}`,
  };
}

function placeInInput(member: Subject & { entry: string }, keys: readonly string[]): Place {
  const [field, ...inner] = keys;
  switch (field) {
    case "value": {
      const part = inner.map((key) => (isIndex(key) ? `item ${numberOf(key)}` : quoted(key))).join(", ");
      return {
        ...member,
        texts: isIndex(inner.at(-1)) ? ITEM : VALUE,
        ...(part && { part }),
      };
    }
    case "filter": {
      const last = keys.findLast((key) => !isIndex(key))!;
      return { ...member, texts: FILTER_FIELDS[last] ?? FILTER };
    }
    case "items":
    case "properties": {
      const last = keys.lastIndexOf("properties");
      const index = last < 0 ? undefined : keys[last + 1];
      if (index === undefined) {
        return { ...member, texts: INPUT[last < 0 ? "items" : "properties"] };
      }
      const property = memberAt(member.input, keys.slice(0, last + 2));
      const texts = PROPERTY[keys.slice(last + 2).join("/")];
      return { texts, ...memberOf("property", property, index, member.entry) };
    }
    default:
      return { ...member, texts: INPUT[patternOf(keys)] };
  }
}

const memberAt = (value: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (at, key) => (Array.isArray(at) ? (at as unknown[])[Number(key)] : isObject(at) ? at[key] : undefined),
    value,
  );
