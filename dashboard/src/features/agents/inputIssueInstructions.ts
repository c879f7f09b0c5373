import { isObject, type InputParameter } from "../../graph/document";
import { aboutMember, aboutNumber, captured, isMissing, isUnknown, quoted } from "./issueTexts";
import type { ValidationIssue } from "../../values/validation";

export function aboutInputs(
  issue: ValidationIssue,
  inputs: readonly InputParameter[],
  task: string,
  [index, field, ...keys]: readonly string[],
): string | undefined {
  if (index === undefined) {
    const [lacking] = captured(issue, / requires the input '(.*)', and /) ?? [];
    return lacking !== undefined
      ? `Set the input ${quoted(lacking)} of ${task}, which is required.`
      : isMissing(issue)
        ? `Add the inputs of ${task}.`
        : undefined;
  }
  const input = inputs[Number(index)];
  const label = `${input?.name ? `the input ${quoted(input.name)}` : `input ${Number(index) + 1}`} of ${task}`;
  switch (field) {
    case undefined:
      return issue.detail.startsWith("Connect ")
        ? `Connect ${label} to an output, or choose another source for it.`
        : undefined;
    case "name":
    case "type":
      return aboutSystemInput(issue, label) ?? aboutMember(issue, "input", input?.name, index, task, field);
    case "source":
      return isMissing(issue) ? `Choose the source of ${label}.` : undefined;
    case "value":
      return aboutValue(issue, label, keys);
    case "items":
    case "properties":
      return aboutStructure(issue, input, label, [field, ...keys]);
    case "data_lake_id":
    case "columns":
    case "limit":
    case "filter":
      return aboutDataSet(issue, label, field);
    default:
      return aboutMember(issue, "input", input?.name, index, task, field);
  }
}

/** The name and the type of an input that gets rows, a system value, or an output of the run before. */
function aboutSystemInput(issue: ValidationIssue, input: string): string | undefined {
  if (issue.detail.startsWith("An input from a data lake must be")) {
    return `Change the type of ${input} to ARRAY: it gets the rows of a data set.`;
  }
  const [lacking] = captured(issue, /^The task '.*' has no output '(.*)'\.$/) ?? [];
  if (lacking !== undefined) {
    return `Rename ${input}: the task has no output ${quoted(lacking)}.`;
  }
  const [type] =
    captured(issue, /^The (?:system value|output) '.*?' (?:of the task '.*?' )?is of type (.+?), and /) ?? [];
  return type === undefined ? undefined : `Change the type of ${input}: its value is of type ${type}.`;
}

/** Sentences of the validator about the type of a value, with the words of the form. */
const TYPE_WORDS: readonly [RegExp, string][] = [
  [/^The value must be a string/, "must be text"],
  [/^The value must be an INTEGER/, "must be a whole number"],
  [/^The value must be a FLOAT/, "must be a number"],
  [/^The value must be a BOOLEAN/, "must be true or false"],
  [/^The value must be an ARRAY/, "must be a list"],
  [/^The value must be an OBJECT/, "must be an object"],
  [/^An item must be of type/, "is empty"],
  [/must not hold NUL/, "has characters that cannot be stored"],
];

function aboutValue(issue: ValidationIssue, input: string, keys: readonly string[]): string | undefined {
  if (keys.length === 0 && (isMissing(issue) || issue.detail.includes(" requires a value for "))) {
    return `Enter a value for ${input}.`;
  }
  const part = keys.map((key) => (/^\d+$/.test(key) ? `item ${Number(key) + 1}` : quoted(key))).join(", ");
  if (isMissing(issue)) {
    return `Complete the value of ${input}: ${part} is missing.`;
  }
  const wanted =
    TYPE_WORDS.find(([pattern]) => pattern.test(issue.detail))?.[1] ??
    captured(issue, /^The value ((?:is nested|holds|has) .*)\.$/)?.[0];
  return wanted === undefined ? undefined : `Correct the value of ${input}: ${part || "it"} ${wanted}.`;
}

/** The items of a list, and the properties of an object. */
function aboutStructure(
  issue: ValidationIssue,
  input: unknown,
  label: string,
  keys: readonly string[],
): string | undefined {
  const depth = captured(issue, /may be nested at most (\d+) deep/);
  if (depth) {
    return `Nest the items of ${label} at most ${depth[0]} deep.`;
  }
  const last = keys.lastIndexOf("properties");
  const [index, field] = last < 0 ? [] : keys.slice(last + 1);
  if (index !== undefined) {
    const property = memberAt(input, keys.slice(0, last + 2));
    const name = isObject(property) && typeof property.name === "string" ? property.name : null;
    return aboutMember(issue, "property", name, index, label, field);
  }
  return !isMissing(issue)
    ? undefined
    : last < 0
      ? `Choose the type of the items of ${label}.`
      : `Add a property to the items of ${label}.`;
}

const memberAt = (value: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (at, key) => (Array.isArray(at) ? (at as unknown[])[Number(key)] : isObject(at) ? at[key] : undefined),
    value,
  );

function aboutDataSet(issue: ValidationIssue, input: string, field: string): string | undefined {
  const [column] = captured(issue, /^The data lake has no column '(.*)'\.$/) ?? [];
  switch (field) {
    case "data_lake_id":
      return isMissing(issue)
        ? `Choose a data set for ${input}.`
        : isUnknown(issue)
          ? `Choose another data set for ${input}: this one was deleted.`
          : undefined;
    case "columns": {
      const most = captured(issue, /at most (\d+) columns/);
      return column !== undefined
        ? `Remove the column ${quoted(column)} from ${input}: the data set has no such column.`
        : most
          ? `Choose at most ${most[0]} columns for ${input}.`
          : undefined;
    }
    case "limit":
      return aboutNumber(issue, `“Row limit” of ${input}`);
    default:
      return column === undefined
        ? aboutFilter(issue, `the row filter of ${input}`)
        : `Choose another column in the row filter of ${input}: the data set has no column ${quoted(column)}.`;
  }
}

const COLUMN_VALUES: Record<string, string> = {
  "a number, or a string that spells one": "a number",
  "a string": "text",
  "a string with a date or an RFC 3339 timestamp": "a date, or a time such as 2030-01-31T09:30:00Z",
};

function aboutFilter(issue: ValidationIssue, filter: string): string | undefined {
  const compared = captured(issue, /^The column '(.*)' is compared with (.*)\.$/);
  if (compared) {
    const [column, wanted = ""] = compared;
    return `Correct ${filter}: compare the column ${quoted(column)} with ${COLUMN_VALUES[wanted] ?? wanted}.`;
  }
  const [bound] = captured(issue, /at most (\d+ (?:deep|comparisons))\.$/) ?? [];
  if (bound !== undefined) {
    return `Simplify ${filter}: at most ${bound}.`;
  }
  const list = captured(issue, /needs a list of 1 to (\d+) /);
  if (list) {
    return `Enter 1 to ${Number(list[0]).toLocaleString("en")} values in ${filter}.`;
  }
  const { path = "", detail } = issue;
  if (path.endsWith("/value")) {
    return /^(?:A comparison has either|The value must be)/.test(detail)
      ? `Enter a value in ${filter}.`
      : undefined;
  }
  return isMissing(issue) || detail.startsWith("A filter has either")
    ? path.endsWith("/input")
      ? `Choose the input to compare with in ${filter}.`
      : `Choose a column and a comparison in ${filter}.`
    : undefined;
}
