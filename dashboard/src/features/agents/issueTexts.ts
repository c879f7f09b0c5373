import type { Schemas } from "../../api";
import type { InputParameter } from "../../graph/document";

export const quoted = (text: unknown) => `“${String(text)}”`;

/** The subject of an issue, as the form names it. */
export interface Subject {
  /** The agent, the task or the input that has the field or the list. */
  owner: string;
  /** The entry of the list, with its owner: "the input “total” of “Score”". */
  entry?: string;
  /** The place of the entry, counted from 1. */
  number?: number;
  input?: InputParameter | undefined;
  /** The place within the value of an input: "item 3, “price”". */
  part?: string;
}

/** The parameters of the code as text. */
type Params = Partial<Record<string, string>>;
type Text = (subject: Subject, params: Params, detail: string) => string | undefined;
export type Texts = Partial<Record<Schemas["ViolationCode"], Text>>;

/** The texts of a field that people fill in. */
function field(label: string | ((subject: Subject) => string), others: Texts = {}): Texts {
  const labelOf = (subject: Subject) =>
    typeof label === "string" ? `${label} of ${subject.owner}` : label(subject);
  return {
    required: (subject) => `Enter ${labelOf(subject)}.`,
    too_long: (subject, { max }) => `Shorten ${labelOf(subject)} to at most ${max} characters.`,
    invalid_characters: (subject) => `Remove line breaks and control characters from ${labelOf(subject)}.`,
    out_of_range: (subject, { min, above, max }) =>
      above === undefined
        ? `Set ${labelOf(subject)} to a whole number from ${min} to ${max}.`
        : `Set ${labelOf(subject)} to a number above ${above}, at most ${max}.`,
    invalid_syntax: (subject, _, detail) => `Correct ${labelOf(subject)}. ${detail}`,
    ...others,
  };
}

/** By path within the document; * is an index. */
export const AGENT: Record<string, Texts> = {
  name: field("the name"),
  description: field("the description"),
  assignment_rules: { too_few: () => "Add an assignment rule." },
  "assignment_rules/*/assignee_id": {
    required: ({ number }) => `Choose who gets the tickets of assignment rule ${number}.`,
    not_found: ({ number }) =>
      `Choose someone else for assignment rule ${number}: this person or team is no longer in the organization.`,
  },
  "assignment_rules/*/rule_type": {
    required: ({ number }) => `Choose when assignment rule ${number} applies.`,
  },
  tasks: {
    too_few: () => "Add a task.",
    too_many: (_, { max }) => `Delete tasks: an agent has at most ${max}.`,
  },
};

const TOOL: Texts = {
  required: ({ owner }) => `Choose a tool for ${owner}.`,
  not_found: ({ owner }) => `Choose another tool for ${owner}: this one no longer exists.`,
  mismatch: ({ owner }) => `Choose the tool for ${owner} again: its ID belongs to another tool.`,
};

/** By path within a task. */
export const TASK: Record<string, Texts> = {
  "": { not_connected: ({ owner }) => `Connect ${owner} to another task.` },
  name: field("the name"),
  id: {
    required: ({ owner }) => `Enter an ID for ${owner}.`,
    already_used: ({ owner }, { value }) =>
      `Change the ID of ${owner}: another task has the ID ${quoted(value)}.`,
    invalid_format: ({ owner }) =>
      `Change the ID of ${owner}: it may have 1 to 64 lowercase letters, digits, _ and -.`,
  },
  instructions: field("the instructions", { required: ({ owner }) => `Enter instructions for ${owner}.` }),
  provider: TOOL,
  tool_name: TOOL,
  tool_id: TOOL,
  code_artifact_id: {
    required: ({ owner }) => `Choose the code for ${owner}.`,
    not_found: ({ owner }) => `Choose other code for ${owner}: this code was deleted.`,
  },
  tools: { too_many: ({ owner }, { max }) => `Remove tools from ${owner}: it may have at most ${max}.` },
  "tools/*": {
    not_found: ({ owner, number }) => `Remove tool ${number} from ${owner}: it no longer exists.`,
    already_used: ({ owner, number }) => `Remove tool ${number} from ${owner}: it is listed twice.`,
  },
  "tools/*/when": field(
    ({ owner, number }) => `“Condition over the arguments” of tool ${number} of ${owner}`,
  ),
  due_in_minutes: field("“Due after (minutes)”"),
  "limits/model_calls": field("the limit “Model calls”"),
  "limits/tool_calls": field("the limit “Tool calls”"),
  "limits/tokens": field("the limit “Tokens”"),
  "limits/cost": field("the limit “Cost”"),
  when: field("“Run only if”"),
  "for_each/input": {
    required: ({ owner }) => `Choose the list that ${owner} runs for.`,
    not_found: ({ owner }) =>
      `Choose another list for ${owner} to run for: the chosen input no longer exists.`,
    type_mismatch: ({ owner }, { from }) =>
      `Choose a list for ${owner} to run for: the chosen input is of type ${from}.`,
  },
  "for_each/max_parallel": field("“Items at a time”"),
  "repeat/until": field("“Repeat until”"),
  "repeat/max": field("“At most (runs)”"),
  input_parameters: {
    required: ({ owner }, { input }) =>
      input === undefined
        ? `Add the inputs of ${owner}.`
        : `Set the input ${quoted(input)} of ${owner}, which is required.`,
  },
  expected_output: { required: ({ owner }) => `Add an output to ${owner}.` },
};

/** The fields that inputs, outputs and properties have. */
const memberTexts = (what: "input" | "output" | "property") => ({
  name: field(({ owner, number }) => `the name of ${what} ${number} of ${owner}`, {
    required: ({ owner, number }) => `Name ${what} ${number} of ${owner}.`,
    already_used: ({ owner, number }, { value }) =>
      `Rename ${what} ${number} of ${owner}: the name ${quoted(value)} is taken.`,
  }),
  type: { required: ({ entry }) => `Choose the type of ${entry}.` } satisfies Texts,
  description: field(({ entry }) => `the description of ${entry}`, {
    required: ({ entry }) => `Describe ${entry}.`,
  }),
});

export const OUTPUT: Record<string, Texts> = memberTexts("output");
export const PROPERTY: Record<string, Texts> = memberTexts("property");

const ofInput = memberTexts("input");

const tooDeep: Text = ({ entry }, { max }) => `Nest the items of ${entry} at most ${max} deep.`;

/** By path within an input, without the places within its value, its items and its row filter. */
export const INPUT: Record<string, Texts> = {
  ...ofInput,
  "": {
    not_connected: ({ entry }) => `Connect ${entry} to an output, or choose another source for it.`,
  },
  name: {
    ...ofInput.name,
    not_found: ({ entry }, { output }) =>
      output === undefined ? undefined : `Rename ${entry}: the task has no output ${quoted(output)}.`,
  },
  type: {
    ...ofInput.type,
    type_mismatch: ({ entry, input }, { from, to }) =>
      input?.data_source === "DATA_LAKE"
        ? `Change the type of ${entry} to ARRAY: it gets the rows of a data set.`
        : to === input?.type
          ? `Change the type of ${entry}: its value is of type ${from}.`
          : undefined,
  },
  source: { required: ({ entry }) => `Choose the source of ${entry}.` },
  items: { too_deep: tooDeep, required: ({ entry }) => `Choose the type of the items of ${entry}.` },
  properties: { too_deep: tooDeep, required: ({ entry }) => `Add a property to the items of ${entry}.` },
  data_lake_id: {
    required: ({ entry }) => `Choose a data set for ${entry}.`,
    not_found: ({ entry }) => `Choose another data set for ${entry}: this one was deleted.`,
  },
  columns: { too_many: ({ entry }, { max }) => `Choose at most ${max} columns for ${entry}.` },
  "columns/*": {
    not_found: ({ entry }, { column }) =>
      `Remove the column ${quoted(column)} from ${entry}: the data set has no such column.`,
  },
  limit: field(({ entry }) => `“Row limit” of ${entry}`),
};

/** The types of a value, with the words of the form. */
const TYPES: Partial<Record<string, string>> = {
  STRING: "must be text",
  INTEGER: "must be a whole number",
  FLOAT: "must be a number",
  BOOLEAN: "must be true or false",
  ARRAY: "must be a list",
  OBJECT: "must be an object",
};

const corrected = ({ entry, part }: Subject, problem: string) =>
  `Correct the value of ${entry}: ${part ?? "it"} ${problem}.`;

export const VALUE: Texts = {
  required: ({ entry, part }) =>
    part === undefined
      ? `Enter a value for ${entry}.`
      : `Complete the value of ${entry}: ${part} is missing.`,
  wrong_type: (subject, { expected = "" }) => {
    const wanted = TYPES[expected];
    return wanted && corrected(subject, wanted);
  },
  invalid_characters: (subject) => corrected(subject, "has characters that cannot be stored"),
  out_of_range: (subject) => corrected(subject, "holds a number that is out of range"),
  too_deep: (subject, { max }) => corrected(subject, `is nested deeper than ${max} levels`),
};

/** An entry of a list that is null. */
export const ITEM: Texts = { ...VALUE, required: (subject) => corrected(subject, "is empty") };

const COLUMN_VALUES: Partial<Record<string, string>> = {
  NUMBER: "a number",
  BOOLEAN: "true or false",
  TEXT: "text",
  MOMENT: "a date, or a time such as 2030-01-31T09:30:00Z",
};

const compared: Text = ({ entry }, { column, expected = "" }) =>
  `Correct the row filter of ${entry}: compare the column ${quoted(column)} with ${COLUMN_VALUES[expected]}.`;
const enterValue: Text = ({ entry }) => `Enter a value in the row filter of ${entry}.`;
const enterValues: Text = ({ entry }, { max }) => `Enter 1 to ${max} values in the row filter of ${entry}.`;
const chooseColumn: Text = ({ entry }) => `Choose a column and a comparison in the row filter of ${entry}.`;

export const FILTER: Texts = {
  required: chooseColumn,
  too_deep: ({ entry }, { max }) => `Simplify the row filter of ${entry}: at most ${max} deep.`,
  too_many: ({ entry }, { max }) => `Simplify the row filter of ${entry}: at most ${max} comparisons.`,
  not_found: ({ entry }, { column }) =>
    `Choose another column in the row filter of ${entry}: the data set has no column ${quoted(column)}.`,
};

/** By the last name in the path of a row filter; FILTER for others. */
export const FILTER_FIELDS: Record<string, Texts> = {
  input: { required: ({ entry }) => `Choose the input to compare with in the row filter of ${entry}.` },
  value: {
    required: enterValue,
    not_allowed: enterValue,
    wrong_type: (subject, params, detail) =>
      (params.column === undefined ? enterValue : compared)(subject, params, detail),
    too_few: enterValues,
    too_many: enterValues,
  },
};

const cycle: Text = (_, { tasks }) =>
  `Remove a connection between ${tasks}: these tasks wait for each other.`;

/** The entry is the input, and the owner the output. */
export const CONNECTION: Texts = {
  cycle,
  type_mismatch: ({ entry, owner }, { from, to }) =>
    `Connect ${entry} to another output, or change its type: it is ${to}, and ${owner} is ${from}.`,
  already_used: ({ entry }) => `Remove a connection to ${entry}: an input takes one.`,
  not_allowed: ({ entry }) =>
    `Remove the connection to ${entry}, or set its source to “Another task or the system”.`,
  not_found: ({ entry, owner }) =>
    `Remove the connection from ${owner} to ${entry}: one of them no longer exists.`,
};

export const ORDER: Texts = {
  cycle,
  not_found: (_, { task }) => `Remove the order of two tasks: there is no task ${quoted(task)}.`,
};
