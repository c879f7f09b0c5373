import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { asDocument } from "../../graph/document";
import { asInstruction } from "./issueInstructions";

const DOCUMENT = asDocument({
  name: "Leads",
  assignment_rules: [{ rule_type: "Exception", assignment_type: "User", assignee_id: "" }],
  tasks: [
    {
      id: "score",
      name: "Score the lead",
      expected_output: [
        { name: "total", type: "FLOAT", description: "" },
        { name: "", type: "STRING", description: "" },
      ],
    },
    { id: "approve", name: "", input_parameters: [] },
  ],
  connections: Array.from({ length: 3 }, () => ({
    from: { task: "score", output: "total" },
    to: { task: "approve", input: "total" },
  })),
  dependencies: [{ from: "nobody", to: "approve" }],
});

const instructionAt = (path: string, detail: string) =>
  asInstruction(DOCUMENT, { error: "Invalid Type", path, detail }).detail;

const T = "/tasks/0";

test.each([
  ["/name", "The field 'name' of the workflow must not be blank.", "Enter the name of the agent."],
  [
    "/description",
    "The field 'description' of the workflow may have at most 10,000 characters.",
    "Shorten the description of the agent to at most 10,000 characters.",
  ],
  ["/assignment_rules", "A workflow needs at least one assignment rule.", "Add an assignment rule."],
  [
    "/assignment_rules/0/assignee_id",
    "The field 'assignee_id' of the assignment rule must not be blank.",
    "Choose who gets the tickets of assignment rule 1.",
  ],
  [
    "/assignment_rules/0/assignee_id",
    "There is no user with the id '3' in the organization.",
    "Choose someone else for assignment rule 1: this person or team is no longer in the organization.",
  ],
  ["/tasks", "A workflow needs at least one task.", "Add a task."],
  [
    "/tasks",
    "A workflow has at most 100 tasks, and this one has 101.",
    "Delete tasks: an agent has at most 100.",
  ],
  [
    T,
    "Connect the task 'score' to another task: it has no connection or dependency.",
    "Connect “Score the lead” to another task.",
  ],
  [
    "/tasks/1/name",
    "The field 'name' of the task 'approve' must not be blank.",
    "Enter the name of “approve”.",
  ],
  [
    `${T}/name`,
    "The field 'name' of the task 'score' must not hold control characters, such as line breaks, or turn the direction of writing.",
    "Remove line breaks and control characters from the name of “Score the lead”.",
  ],
  [
    `${T}/id`,
    "A task's id has 1 to 64 of the characters a-z, 0-9, _ and -, and this is 'A'.",
    "Change the ID of “Score the lead”: it may have 1 to 64 lowercase letters, digits, _ and -.",
  ],
  [
    `${T}/id`,
    "The id 'score' is taken by another task, at /tasks/1/id.",
    "Change the ID of “Score the lead”: another task has the ID “score”.",
  ],
  [`${T}/id`, "The field 'id' of the task must not be blank.", "Enter an ID for “Score the lead”."],
  [
    `${T}/instructions`,
    "Enter instructions for the task 'score'.",
    "Enter instructions for “Score the lead”.",
  ],
  [
    `${T}/instructions`,
    "The field 'instructions' of the task 'score' may have at most 65,536 characters.",
    "Shorten the instructions of “Score the lead” to at most 65,536 characters.",
  ],
  [`${T}/tool_id`, "Choose a tool for the task 'score'.", "Choose a tool for “Score the lead”."],
  [
    `${T}/tool_id`,
    "There is no tool with the id 77 in the organization.",
    "Choose another tool for “Score the lead”: this one no longer exists.",
  ],
  [`${T}/code_artifact_id`, "Choose the code for the task 'score'.", "Choose the code for “Score the lead”."],
  [
    `${T}/code_artifact_id`,
    "There is no code artifact with the id 99 in the organization.",
    "Choose other code for “Score the lead”: this code was deleted.",
  ],
  [
    `${T}/tools/1`,
    "There is no tool with the id 7 in the organization.",
    "Remove tool 2 from “Score the lead”: it no longer exists.",
  ],
  [
    `${T}/tools/0/when`,
    "At column 1: there is nothing named 'x' here.",
    "Correct “Condition over the arguments” of tool 1 of “Score the lead”. At column 1: there is nothing named 'x' here.",
  ],
  [
    `${T}/due_in_minutes`,
    "The field 'due_in_minutes' of the task 'score' must be an integer from 1 to 525600, and it is the number 0.",
    "Set “Due after (minutes)” of “Score the lead” to a whole number from 1 to 525,600.",
  ],
  [
    `${T}/limits/model_calls`,
    "The field 'model_calls' of 'limits' of the task 'score' must be an integer from 1 to 2147483647, and it is the number 0.",
    "Set the limit “Model calls” of “Score the lead” to a whole number from 1 to 2,147,483,647.",
  ],
  [
    `${T}/limits/cost`,
    "The field 'cost' of 'limits' of the task 'score' must be a number above 0, at most 1,000,000.",
    "Set the limit “Cost” of “Score the lead” to a number above 0, at most 1,000,000.",
  ],
  [
    `${T}/when`,
    "At column 3: the condition ends too early.",
    "Correct “Run only if” of “Score the lead”. At column 3: the condition ends too early.",
  ],
  [
    `${T}/for_each/input`,
    "The field 'input' of 'for_each' of the task 'score' must not be blank.",
    "Choose the list that “Score the lead” runs for.",
  ],
  [
    `${T}/for_each/input`,
    "There is no input 'item' of the task 'score'.",
    "Choose another list for “Score the lead” to run for: the chosen input no longer exists.",
  ],
  [
    `${T}/for_each/input`,
    "A task runs for each item of an ARRAY, and the input 'item' is of type STRING.",
    "Choose a list for “Score the lead” to run for: the chosen input is of type STRING.",
  ],
  [
    `${T}/for_each/max_parallel`,
    "The field 'max_parallel' of 'for_each' of the task 'score' must be an integer from 1 to 100, and it is the number 0.",
    "Set “Items at a time” of “Score the lead” to a whole number from 1 to 100.",
  ],
  [
    `${T}/repeat/until`,
    "The field 'until' of 'repeat' of the task 'score' must not be blank.",
    "Enter “Repeat until” of “Score the lead”.",
  ],
  [
    `${T}/repeat/max`,
    "The field 'max' of 'repeat' of the task 'score' is required.",
    "Enter “At most (runs)” of “Score the lead”.",
  ],
  [
    `${T}/expected_output/0/description`,
    "The field 'description' of the output parameter must not be blank.",
    "Describe the output “total” of “Score the lead”.",
  ],
  [
    `${T}/expected_output/1/name`,
    "The field 'name' of the output parameter must not be blank.",
    "Name output 2 of “Score the lead”.",
  ],
  [
    `${T}/expected_output/0/name`,
    "There is an output 'total' of the task 'score' already.",
    "Rename output 1 of “Score the lead”: the name “total” is taken.",
  ],
  [
    "/connections/0",
    "The output 'total' of the task 'score' is of type FLOAT, and the input 'total' of the task 'approve' is of type INTEGER; FLOAT connects only to FLOAT.",
    "Connect the input “total” of “approve” to another output, or change its type: it is INTEGER, and the output “total” of “Score the lead” is FLOAT.",
  ],
  [
    "/connections/0/to",
    "The input 'total' of the task 'approve' has the source human_input, and only an input of the source system_generated can be connected.",
    "Remove the connection to the input “total” of “approve”, or set its source to “Another task or the system”.",
  ],
  [
    "/connections/0/to",
    "The input 'total' of the task 'approve' has a connection already, at /connections/1.",
    "Remove a connection to the input “total” of “approve”: an input takes one.",
  ],
  [
    "/connections/0/from/output",
    "The task 'score' has no output 'total'.",
    "Remove the connection from the output “total” of “Score the lead” to the input “total” of “approve”: one of them no longer exists.",
  ],
  [
    "/dependencies/0",
    "Tasks wait for each other: score → approve → score.",
    "Remove a connection between “Score the lead” → “approve” → “Score the lead”: these tasks wait for each other.",
  ],
  [
    "/dependencies/0/from",
    "There is no task 'nobody'.",
    "Remove the order of two tasks: there is no task “nobody”.",
  ],
])("%s: %s", (path, detail, instruction) => {
  expect(instructionAt(path, detail)).toBe(instruction);
});

test("an issue of a connection leads to the source of its input", () => {
  const issue = { error: "Invalid Type", path: "/connections/0/from/output", detail: "" };
  const input = { name: "total", type: "FLOAT", description: "", source: "system_generated" };
  const tasks = DOCUMENT.tasks.with(1, { ...DOCUMENT.tasks[1]!, input_parameters: [input] });
  expect(asInstruction({ ...DOCUMENT, tasks }, issue).path).toBe("/tasks/1/input_parameters/0/source");
  expect(asInstruction(DOCUMENT, issue).path).toBe(issue.path);
});

/** Violations that only the JSON view can cause, since the forms write every field with a value of its type. */
const ONLY_IN_JSON = [
  /^There is no field '/,
  / must be (?:an object|an array|a string|true or false|one of .*), and (?:it|this) is /,
  /^The field '(?:kind|tool_id|from|to|task|input|output|tasks|assignment_type|op|code_artifact_id|input_parameters)' of .* (?:is required|must be an integer from .*)\.$/,
  /^Only an? (?:ARRAY|OBJECT) has /,
  / needs 'data_source' DATA_LAKE\.$/,
  /^A column is named by a string/,
  /^A tool is named by its id/,
  /^The operator 'is_null' compares with nothing/,
  /^There must be at least one filter/,
  / of 'limits' of the workflow must be /,
];

test("the service's texts become instructions, unless only the JSON view can cause the issue", () => {
  const golden = new URL("../../../../service/src/test/resources/definition/violations.txt", import.meta.url);
  const violations = readFileSync(golden, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, error, path, detail] = /^ {4}([A-Z]\w+(?: [A-Z]\w+)*) (\/\S*|): (.*)$/.exec(line) ?? [];
      return error === undefined ? [] : [{ error, path: path!, detail: detail! }];
    });
  expect(violations.length).toBeGreaterThan(200);
  const unchanged = violations
    .filter((violation) => asInstruction(DOCUMENT, violation).detail === violation.detail)
    .filter(({ detail }) => !ONLY_IN_JSON.some((pattern) => pattern.test(detail)));
  expect(unchanged).toEqual([]);
});
