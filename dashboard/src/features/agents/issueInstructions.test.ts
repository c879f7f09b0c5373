import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Schemas } from "../../api";
import { asDocument } from "../../graph/document";
import { asInstruction } from "./issueInstructions";

const property = (name: string) => ({ name, type: "STRING", description: "" });
const input = { required: true, source: "system_generated", description: "" };

const DOCUMENT = asDocument({
  name: "Leads",
  assignment_rules: [{ rule_type: "Exception", assignment_type: "User", assignee_id: "" }],
  tasks: [
    {
      id: "score",
      name: "Score the lead",
      input_parameters: [
        { ...input, name: "lead", type: "ARRAY", items: { type: "OBJECT", properties: [property("mail")] } },
        { ...input, name: "", type: "OBJECT", properties: [property("")] },
        { ...input, name: "rows", type: "STRING", data_source: "DATA_LAKE" },
      ],
      expected_output: [property("total"), property("")],
    },
    { id: "approve", name: "", input_parameters: [] },
  ],
  connections: Array.from({ length: 3 }, () => ({
    from: { task: "score", output: "total" },
    to: { task: "approve", input: "total" },
  })),
  dependencies: [{ from: "nobody", to: "approve" }],
});

const T = "“Score the lead”";
const LEAD = `the input “lead” of ${T}`;

/** The path, the code with its parameters, and the instruction. T is the first task, I its first input. */
const INSTRUCTIONS = `
/name | required | Enter the name of the agent.
/description | too_long {"max":10000} | Shorten the description of the agent to at most 10,000 characters.
/assignment_rules | too_few | Add an assignment rule.
/assignment_rules/0/assignee_id | required | Choose who gets the tickets of assignment rule 1.
/assignment_rules/0/assignee_id | not_found | Choose someone else for assignment rule 1: this person or team is no longer in the organization.
/tasks | too_few | Add a task.
/tasks | too_many {"max":100} | Delete tasks: an agent has at most 100.
T | not_connected | Connect ${T} to another task.
/tasks/1/name | required | Enter the name of “approve”.
T/name | invalid_characters | Remove line breaks and control characters from the name of ${T}.
T/id | invalid_format | Change the ID of ${T}: it may have 1 to 64 lowercase letters, digits, _ and -.
T/id | already_used {"value":"score"} | Change the ID of ${T}: another task has the ID “score”.
T/id | required | Enter an ID for ${T}.
T/instructions | required | Enter instructions for ${T}.
T/instructions | too_long {"max":65536} | Shorten the instructions of ${T} to at most 65,536 characters.
T/tool_id | required | Choose a tool for ${T}.
T/tool_id | not_found | Choose another tool for ${T}: this one no longer exists.
T/code_artifact_id | required | Choose the code for ${T}.
T/code_artifact_id | not_found | Choose other code for ${T}: this code was deleted.
T/tools/1 | not_found | Remove tool 2 from ${T}: it no longer exists.
T/tools/0/when | invalid_syntax | Correct “Condition over the arguments” of tool 1 of ${T}. DETAIL
T/due_in_minutes | out_of_range {"min":1,"max":525600} | Set “Due after (minutes)” of ${T} to a whole number from 1 to 525,600.
T/limits/cost | out_of_range {"above":0,"max":1000000} | Set the limit “Cost” of ${T} to a number above 0, at most 1,000,000.
T/when | invalid_syntax | Correct “Run only if” of ${T}. DETAIL
T/for_each/input | required | Choose the list that ${T} runs for.
T/for_each/input | not_found | Choose another list for ${T} to run for: the chosen input no longer exists.
T/for_each/input | type_mismatch {"from":"STRING"} | Choose a list for ${T} to run for: the chosen input is of type STRING.
T/for_each/max_parallel | out_of_range {"min":1,"max":100} | Set “Items at a time” of ${T} to a whole number from 1 to 100.
T/repeat/until | required | Enter “Repeat until” of ${T}.
T/expected_output/0/description | required | Describe the output “total” of ${T}.
T/expected_output/1/name | required | Name output 2 of ${T}.
T/expected_output/0/name | already_used {"value":"total"} | Rename output 1 of ${T}: the name “total” is taken.
/connections/0 | type_mismatch {"from":"FLOAT","to":"INTEGER"} | Connect the input “total” of “approve” to another output, or change its type: it is INTEGER, and the output “total” of ${T} is FLOAT.
/connections/0/to | not_allowed | Remove the connection to the input “total” of “approve”, or set its source to “Another task or the system”.
/connections/0/to | already_used | Remove a connection to the input “total” of “approve”: an input takes one.
/connections/0/from/output | not_found | Remove the connection from the output “total” of ${T} to the input “total” of “approve”: one of them no longer exists.
/dependencies/0 | cycle {"tasks":["score","approve","score"]} | Remove a connection between ${T} → “approve” → ${T}: these tasks wait for each other.
/dependencies/0/from | not_found {"task":"nobody"} | Remove the order of two tasks: there is no task “nobody”.
T/input_parameters | required {"input":"url"} | Set the input “url” of ${T}, which is required.
I | not_connected | Connect ${LEAD} to an output, or choose another source for it.
T/input_parameters/1/name | required | Name input 2 of ${T}.
I/name | already_used {"value":"lead"} | Rename input 1 of ${T}: the name “lead” is taken.
I/name | not_found {"output":"round"} | Rename ${LEAD}: the task has no output “round”.
I/name | not_found {"input":"lead"} | DETAIL
I/type | type_mismatch {"from":"STRING","to":"ARRAY"} | Change the type of ${LEAD}: its value is of type STRING.
I/type | type_mismatch {"from":"ARRAY","to":"STRING"} | DETAIL
T/input_parameters/2/type | type_mismatch | Change the type of the input “rows” of ${T} to ARRAY: it gets the rows of a data set.
I/value | required | Enter a value for ${LEAD}.
I/value | wrong_type {"expected":"INTEGER"} | Correct the value of ${LEAD}: it must be a whole number.
I/value/2/price | wrong_type {"expected":"FLOAT"} | Correct the value of ${LEAD}: item 3, “price” must be a number.
I/value/0 | required | Correct the value of ${LEAD}: item 1 is empty.
I/value/mail | required | Complete the value of ${LEAD}: “mail” is missing.
I/value | out_of_range | Correct the value of ${LEAD}: it holds a number that is out of range.
I/items | required | Choose the type of the items of ${LEAD}.
I/items/properties/0/description | required | Describe the property “mail” of ${LEAD}.
I/items/properties/0/name | already_used {"value":"mail"} | Rename property 1 of ${LEAD}: the name “mail” is taken.
T/input_parameters/1/properties/0/name | required | Name property 1 of input 2 of ${T}.
I/items/items/items | too_deep {"max":16} | Nest the items of ${LEAD} at most 16 deep.
I/data_lake_id | required | Choose a data set for ${LEAD}.
I/data_lake_id | not_found | Choose another data set for ${LEAD}: this one was deleted.
I/columns/0 | not_found {"column":"price"} | Remove the column “price” from ${LEAD}: the data set has no such column.
I/limit | out_of_range {"min":1,"max":10000} | Set “Row limit” of ${LEAD} to a whole number from 1 to 10,000.
I/filter/all/0/column | not_found {"column":"price"} | Choose another column in the row filter of ${LEAD}: the data set has no column “price”.
I/filter/column | required | Choose a column and a comparison in the row filter of ${LEAD}.
I/filter/value | required | Enter a value in the row filter of ${LEAD}.
I/filter/input | required | Choose the input to compare with in the row filter of ${LEAD}.
I/filter/value | too_many {"max":1000} | Enter 1 to 1,000 values in the row filter of ${LEAD}.
I/filter/value/1 | wrong_type {"column":"price","expected":"NUMBER"} | Correct the row filter of ${LEAD}: compare the column “price” with a number.
I/filter/all/0 | too_deep {"max":8} | Simplify the row filter of ${LEAD}: at most 8 deep.`;

const codeAndParams = /^(\w+)(?: (.*))?$/;

test.each(INSTRUCTIONS.trim().split("\n"))("%s", (line) => {
  const [place, rule, expected] = line.split(" | ");
  const path = place!.replace(/^T/, "/tasks/0").replace(/^I/, "/tasks/0/input_parameters/0");
  const [, code, params = "{}"] = codeAndParams.exec(rule!)!;
  const issue = { error: "", path, code: code as Schemas["ViolationCode"], detail: "DETAIL" };
  expect(
    asInstruction(DOCUMENT, { ...issue, params: JSON.parse(params) as Record<string, unknown> }).detail,
  ).toBe(expected);
});

test("an issue of a connection leads to the source of its input", () => {
  const issue = { error: "Invalid Type", path: "/connections/0/from/output", detail: "" };
  const total = { name: "total", type: "FLOAT", description: "", source: "system_generated" };
  const tasks = DOCUMENT.tasks.with(1, { ...DOCUMENT.tasks[1]!, input_parameters: [total] });
  expect(asInstruction({ ...DOCUMENT, tasks }, issue).path).toBe("/tasks/1/input_parameters/0/source");
  expect(asInstruction(DOCUMENT, issue).path).toBe(issue.path);
});

/**
 * Violations that only the JSON view can cause, since the forms write every field with a value of its type, and those
 * whose instruction depends on the type of an input of their document.
 */
const ONLY_IN_JSON =
  /: (?:unknown_field|not_one_of|wrong_type|not_allowed$)|\/filter\/all: too_few|\/columns\/\d+: already_used|\/(?:kind|tool_id|code_artifact_id|assignment_type|from|to|task|input|output|op|expected_output|tasks): (?:required|out_of_range)|^\/limits|\/type: type_mismatch/;

test("the service's violations become instructions, unless only the JSON view can cause them", () => {
  const golden = new URL("../../../../service/src/test/resources/definition/violations.txt", import.meta.url);
  const text = readFileSync(golden, "utf8");
  const violations = [...text.matchAll(/^ {4}\w.*? (\/\S*|): (.*)\n {8}(\w+)(?: \{(.*)\})?$/gm)];
  expect(violations.length).toBeGreaterThan(200);
  const unchanged = violations.flatMap(([, path = "", detail = "", code, params = ""]) => {
    const issue = { error: "", path, detail, code: code as Schemas["ViolationCode"] };
    const named = Object.fromEntries(params.split(", ").map((each) => each.split("=") as [string, string]));
    return asInstruction(DOCUMENT, { ...issue, params: named }).detail === detail ? [`${path}: ${code}`] : [];
  });
  expect(unchanged.filter((each) => !ONLY_IN_JSON.test(each))).toEqual([]);
});
