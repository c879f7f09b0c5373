import { expect, test } from "vitest";
import type { InputParameter } from "../../graph/document";
import { aboutInputs } from "./inputIssueInstructions";

const input = (name: string, fields: object): InputParameter => ({
  name,
  type: "STRING",
  description: "",
  required: true,
  source: "system_generated",
  ...fields,
});

const INPUTS = [
  input("lead", {
    type: "ARRAY",
    items: { type: "OBJECT", properties: [{ name: "mail", type: "STRING", description: "" }] },
  }),
  input("", { type: "OBJECT", properties: [{ name: "", type: "STRING", description: "" }] }),
];

test.each([
  [
    "",
    "The tool 'http.request' requires the input 'url', and the task 'score' has no input of this name.",
    "Set the input “url” of “Score the lead”, which is required.",
  ],
  [
    "0",
    "Connect the required input 'lead' of the task 'score' to an output, or choose another source for it.",
    "Connect the input “lead” of “Score the lead” to an output, or choose another source for it.",
  ],
  [
    "1/name",
    "The field 'name' of the input parameter must not be blank.",
    "Name input 2 of “Score the lead”.",
  ],
  [
    "0/name",
    "There is an input 'lead' of the task 'score' already.",
    "Rename input 1 of “Score the lead”: the name “lead” is taken.",
  ],
  [
    "0/name",
    "The task 'score' has no output 'round'.",
    "Rename the input “lead” of “Score the lead”: the task has no output “round”.",
  ],
  [
    "0/type",
    "An input from a data lake must be of type ARRAY, and it is STRING.",
    "Change the type of the input “lead” of “Score the lead” to ARRAY: it gets the rows of a data set.",
  ],
  [
    "0/type",
    "The system value 'human_msg' is of type STRING, and the input 'human_msg' of the task 'score' is of type INTEGER.",
    "Change the type of the input “lead” of “Score the lead”: its value is of type STRING.",
  ],
  [
    "0/type",
    "The output 'round' of the task 'score' is of type INTEGER, and its input 'previous_round' is of type STRING.",
    "Change the type of the input “lead” of “Score the lead”: its value is of type INTEGER.",
  ],
  [
    "0/description",
    "The field 'description' of the input 'lead' of the task 'score' must not be blank.",
    "Describe the input “lead” of “Score the lead”.",
  ],
  [
    "0/value",
    "The value of the input 'lead' of the task 'score' is required.",
    "Enter a value for the input “lead” of “Score the lead”.",
  ],
  [
    "0/value",
    "The tool 'wait' requires a value for the input 'lead' of the task 'score'.",
    "Enter a value for the input “lead” of “Score the lead”.",
  ],
  [
    "0/value",
    "The value must be an INTEGER of at most 1000 digits, as a number or in a string, and it is the string 'three'.",
    "Correct the value of the input “lead” of “Score the lead”: it must be a whole number.",
  ],
  [
    "0/value/2/price",
    "The value must be a FLOAT, as a number or in a string, and it is the string 'free'.",
    "Correct the value of the input “lead” of “Score the lead”: item 3, “price” must be a number.",
  ],
  [
    "0/value/0",
    "An item must be of type OBJECT, and this one is null.",
    "Correct the value of the input “lead” of “Score the lead”: item 1 is empty.",
  ],
  [
    "0/value/mail",
    "The property 'mail' is required.",
    "Complete the value of the input “lead” of “Score the lead”: “mail” is missing.",
  ],
  [
    "0/value",
    "The value holds a number that is out of range.",
    "Correct the value of the input “lead” of “Score the lead”: it holds a number that is out of range.",
  ],
  [
    "0/items",
    "The field 'items' of the input 'lead' of the task 'score' is required, since it is an ARRAY.",
    "Choose the type of the items of the input “lead” of “Score the lead”.",
  ],
  [
    "0/items/properties/0/description",
    "The field 'description' of the property must not be blank.",
    "Describe the property “mail” of the input “lead” of “Score the lead”.",
  ],
  [
    "1/properties/0/name",
    "The field 'name' of the property must not be blank.",
    "Name property 1 of input 2 of “Score the lead”.",
  ],
  [
    "0/items/properties/0/name",
    "There is a property 'mail' already.",
    "Rename property 1 of the input “lead” of “Score the lead”: the name “mail” is taken.",
  ],
  [
    "0/items/items/items",
    "Items may be nested at most 16 deep.",
    "Nest the items of the input “lead” of “Score the lead” at most 16 deep.",
  ],
  [
    "0/data_lake_id",
    "The field 'data_lake_id' of the input 'lead' of the task 'score' is required.",
    "Choose a data set for the input “lead” of “Score the lead”.",
  ],
  [
    "0/data_lake_id",
    "There is no data lake with the id 'gone' in the organization.",
    "Choose another data set for the input “lead” of “Score the lead”: this one was deleted.",
  ],
  [
    "0/columns/0",
    "The data lake has no column 'price'.",
    "Remove the column “price” from the input “lead” of “Score the lead”: the data set has no such column.",
  ],
  [
    "0/limit",
    "The field 'limit' of the input 'lead' of the task 'score' must be a whole number from 1 to 10000.",
    "Set “Row limit” of the input “lead” of “Score the lead” to a whole number from 1 to 10,000.",
  ],
  [
    "0/filter/all/0/column",
    "The data lake has no column 'price'.",
    "Choose another column in the row filter of the input “lead” of “Score the lead”: the data set has no column “price”.",
  ],
  [
    "0/filter/column",
    "The field 'column' of the filter must not be blank.",
    "Choose a column and a comparison in the row filter of the input “lead” of “Score the lead”.",
  ],
  [
    "0/filter/value",
    "A comparison has either a 'value' or an 'input'.",
    "Enter a value in the row filter of the input “lead” of “Score the lead”.",
  ],
  [
    "0/filter/input",
    "The field 'input' of the filter must not be blank.",
    "Choose the input to compare with in the row filter of the input “lead” of “Score the lead”.",
  ],
  [
    "0/filter/value",
    "The operator 'in' needs a list of 1 to 1000 strings, numbers or truth values.",
    "Enter 1 to 1,000 values in the row filter of the input “lead” of “Score the lead”.",
  ],
  [
    "0/filter/value",
    "The column 'price' is compared with a number, or a string that spells one.",
    "Correct the row filter of the input “lead” of “Score the lead”: compare the column “price” with a number.",
  ],
  [
    "0/filter/all/0",
    "Filters may be nested at most 8 deep.",
    "Simplify the row filter of the input “lead” of “Score the lead”: at most 8 deep.",
  ],
])("%s: %s", (path, detail, instruction) => {
  const keys = path === "" ? [] : path.split("/");
  const issue = { error: "Invalid Type", path: `/tasks/0/input_parameters/${path}`, detail };
  expect(aboutInputs(issue, INPUTS, "“Score the lead”", keys)).toBe(instruction);
});
