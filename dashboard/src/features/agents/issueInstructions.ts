import { declaredOutputsOf, inputsOf, type Connection, type WorkflowDocument } from "../../graph/document";
import { aboutInputs } from "./inputIssueInstructions";
import {
  aboutCondition,
  aboutMember,
  aboutNumber,
  aboutText,
  captured,
  isMissing,
  isUnknown,
  quoted,
} from "./issueTexts";
import type { ValidationIssue } from "../../values/validation";

type Rule = (issue: ValidationIssue, keys: readonly string[]) => string | undefined;

/**
 * The issue as an instruction to the person who builds the agent, with the names and labels of the form. Issues that
 * only the JSON view can cause keep the precise text of the API. An issue of a connection belongs to the source of its
 * input, where it can be changed.
 */
export function asInstruction(document: WorkflowDocument, issue: ValidationIssue): ValidationIssue {
  const [list = "", ...keys] = keysOf(issue.path ?? "");
  const detail = ruleOf(document, list)(issue, keys) ?? issue.detail;
  const connection = list === "connections" ? document.connections?.[Number(keys[0])] : undefined;
  return { ...issue, detail, path: (connection && sourceOf(document, connection.to)) ?? issue.path };
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

function ruleOf(document: WorkflowDocument, list: string): Rule {
  switch (list) {
    case "name":
      return (issue) => aboutText(issue, "the name of the agent");
    case "description":
      return (issue) => aboutText(issue, "the description of the agent");
    case "assignment_rules":
      return aboutRule;
    case "tasks":
      return (issue, keys) => aboutTasks(document, issue, keys);
    case "connections":
      return (issue, keys) => aboutConnection(document, issue, keys);
    case "dependencies":
      return (issue) => aboutOrder(document, issue);
    default:
      return () => undefined;
  }
}

function aboutRule(issue: ValidationIssue, [index, field]: readonly string[]): string | undefined {
  if (index === undefined) {
    return issue.detail.includes("at least one") ? "Add an assignment rule." : undefined;
  }
  const rule = `assignment rule ${Number(index) + 1}`;
  switch (field) {
    case "assignee_id":
      return isMissing(issue)
        ? `Choose who gets the tickets of ${rule}.`
        : isUnknown(issue)
          ? `Choose someone else for ${rule}: this person or team is no longer in the organization.`
          : undefined;
    case "rule_type":
      return isMissing(issue) ? `Choose when ${rule} applies.` : undefined;
    default:
      return undefined;
  }
}

function aboutTasks(
  document: WorkflowDocument,
  issue: ValidationIssue,
  [index, field, ...keys]: readonly string[],
): string | undefined {
  if (index === undefined) {
    const most = captured(issue, /at most ([\d,]+) tasks/);
    return most
      ? `Delete tasks: an agent has at most ${most[0]}.`
      : issue.detail.includes("at least one")
        ? "Add a task."
        : undefined;
  }
  const task = document.tasks[Number(index)];
  const name = quoted(task?.name || task?.id || `Task ${Number(index) + 1}`);
  switch (field) {
    case undefined:
      return issue.detail.startsWith("Connect ") ? `Connect ${name} to another task.` : undefined;
    case "name":
      return aboutText(issue, `the name of ${name}`);
    case "id":
      return aboutId(issue, name);
    case "instructions":
      return issue.detail.startsWith("Enter ")
        ? `Enter instructions for ${name}.`
        : aboutText(issue, `the instructions of ${name}`);
    case "provider":
    case "tool_name":
    case "tool_id":
      return aboutTool(issue, name);
    case "code_artifact_id":
      return issue.detail.startsWith("Choose ")
        ? `Choose the code for ${name}.`
        : isUnknown(issue)
          ? `Choose other code for ${name}: this code was deleted.`
          : undefined;
    case "tools":
      return aboutAgentTools(issue, name, keys);
    case "due_in_minutes":
      return aboutNumber(issue, `“Due after (minutes)” of ${name}`);
    case "limits":
      return aboutNumber(issue, `the limit ${quoted(LIMIT_LABELS[keys[0] ?? ""] ?? keys[0])} of ${name}`);
    case "when":
      return aboutCondition(issue, `“Run only if” of ${name}`);
    case "for_each":
      return aboutForEach(issue, name, keys);
    case "repeat":
      return keys[0] === "until"
        ? aboutCondition(issue, `“Repeat until” of ${name}`)
        : aboutNumber(issue, `“At most (runs)” of ${name}`);
    case "input_parameters":
      return aboutInputs(issue, task ? inputsOf(task) : [], name, keys);
    case "expected_output":
      return aboutOutput(issue, task ? declaredOutputsOf(task) : [], name, keys);
    default:
      return undefined;
  }
}

const LIMIT_LABELS: Record<string, string> = {
  model_calls: "Model calls",
  tool_calls: "Tool calls",
  tokens: "Tokens",
  cost: "Cost",
};

function aboutId(issue: ValidationIssue, task: string): string | undefined {
  const [taken] = captured(issue, /^The id '(.*)' is taken/) ?? [];
  if (taken !== undefined) {
    return `Change the ID of ${task}: another task has the ID ${quoted(taken)}.`;
  }
  return issue.detail.startsWith("A task's id has")
    ? `Change the ID of ${task}: it may have 1 to 64 lowercase letters, digits, _ and -.`
    : isMissing(issue)
      ? `Enter an ID for ${task}.`
      : undefined;
}

function aboutTool(issue: ValidationIssue, task: string): string | undefined {
  if (issue.detail.startsWith("Choose ") || isMissing(issue)) {
    return `Choose a tool for ${task}.`;
  }
  if (isUnknown(issue)) {
    return `Choose another tool for ${task}: this one no longer exists.`;
  }
  return issue.detail.startsWith("The tool with the id ")
    ? `Choose the tool for ${task} again: its ID belongs to another tool.`
    : undefined;
}

function aboutAgentTools(
  issue: ValidationIssue,
  task: string,
  [index, field]: readonly string[],
): string | undefined {
  if (index === undefined) {
    const most = captured(issue, /at most (\d+) tools/);
    return most ? `Remove tools from ${task}: it may have at most ${most[0]}.` : undefined;
  }
  if (field === "when") {
    return aboutCondition(issue, `“Condition over the arguments” of tool ${Number(index) + 1} of ${task}`);
  }
  return isUnknown(issue)
    ? `Remove tool ${Number(index) + 1} from ${task}: it no longer exists.`
    : issue.detail.endsWith("is listed already.")
      ? `Remove tool ${Number(index) + 1} from ${task}: it is listed twice.`
      : undefined;
}

function aboutForEach(issue: ValidationIssue, task: string, [field]: readonly string[]): string | undefined {
  if (field === "max_parallel") {
    return aboutNumber(issue, `“Items at a time” of ${task}`);
  }
  const [type] = captured(issue, /' is of type (\w+)\.$/) ?? [];
  return type !== undefined
    ? `Choose a list for ${task} to run for: the chosen input is of type ${type}.`
    : isUnknown(issue)
      ? `Choose another list for ${task} to run for: the chosen input no longer exists.`
      : isMissing(issue)
        ? `Choose the list that ${task} runs for.`
        : undefined;
}

function aboutOutput(
  issue: ValidationIssue,
  outputs: readonly { name?: string | null }[],
  task: string,
  [index, field]: readonly string[],
): string | undefined {
  if (index === undefined) {
    return isMissing(issue) ? `Add an output to ${task}.` : undefined;
  }
  return aboutMember(issue, "output", outputs[Number(index)]?.name, index, task, field);
}

const nameOf = (document: WorkflowDocument, id: string) =>
  quoted(document.tasks.find((each) => each.id === id)?.name || id);

function aboutConnection(
  document: WorkflowDocument,
  issue: ValidationIssue,
  [index]: readonly string[],
): string | undefined {
  const connection = document.connections?.[Number(index)];
  const waiting = aboutOrder(document, issue);
  if (waiting !== undefined || !connection) {
    return waiting;
  }
  const { from, to } = connection;
  const input = `the input ${quoted(to.input)} of ${nameOf(document, to.task)}`;
  const output = `the output ${quoted(from.output)} of ${nameOf(document, from.task)}`;
  const types = captured(issue, /is of type (.+?), and .* is of type (.+?); /);
  if (types) {
    return `Connect ${input} to another output, or change its type: it is ${types[1]}, and ${output} is ${types[0]}.`;
  }
  if (issue.detail.includes(" has a connection already")) {
    return `Remove a connection to ${input}: an input takes one.`;
  }
  if (issue.detail.includes(" has the source ")) {
    return `Remove the connection to ${input}, or set its source to “Another task or the system”.`;
  }
  return isUnknown(issue) || issue.detail.includes(" has no ")
    ? `Remove the connection from ${output} to ${input}: one of them no longer exists.`
    : undefined;
}

/** Tasks that wait for each other, or an order with a task that does not exist. */
function aboutOrder(document: WorkflowDocument, issue: ValidationIssue): string | undefined {
  const [path] = captured(issue, /^Tasks wait for each other: (.*)\.$/) ?? [];
  if (path !== undefined) {
    const names = path.split(" → ").map((id) => (id.startsWith("…") ? id : nameOf(document, id)));
    return `Remove a connection between ${names.join(" → ")}: these tasks wait for each other.`;
  }
  const [missing] = captured(issue, /^There is no task '(.*)'\.$/) ?? [];
  return issue.path?.startsWith("/dependencies/") && missing !== undefined
    ? `Remove the order of two tasks: there is no task ${quoted(missing)}.`
    : undefined;
}
