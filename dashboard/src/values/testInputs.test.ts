import { expect, test } from "vitest";
import type { InputParameter, Task, WorkflowDocument } from "../graph/document";
import { asTyped, missingFields, suppliedInputsOf, takesFile, usesMessage } from "./testInputs";

const input = (name: string, change: Partial<InputParameter> = {}): InputParameter => ({
  name,
  type: "STRING",
  description: name,
  required: true,
  source: "system_generated",
  ...change,
});
const task = (id: string, input_parameters: InputParameter[]): Task => ({
  id,
  kind: "AI",
  name: id,
  instructions: "",
  input_parameters,
});

const second = task("b", [
  input("text"),
  input("current_time"),
  input("conversation_id"),
  input("tone", { source: "task_config", value: "kind" }),
  input("name", { source: "human_input" }),
  input("rows", { type: "ARRAY", data_source: "DATA_LAKE" }),
]);
const document: WorkflowDocument = {
  name: "A",
  assignment_rules: [],
  tasks: [task("a", [input("name", { source: "human_input", required: false })]), second],
  connections: [
    { from: { task: "a", output: "x" }, to: { task: "b", input: "text" } },
    { from: { task: "a", output: "x" }, to: { task: "b", input: "conversation_id" } },
  ],
};

test("a single task asks for what other tasks and people supply", () => {
  expect(suppliedInputsOf(document, second).map((each) => each.name)).toEqual([
    "text",
    "conversation_id",
    "name",
  ]);
});

test("values of a run fill in the form", () => {
  expect(asTyped({ a: 1.5, b: "text", c: false, d: null, e: [1] })).toEqual({
    a: "1.5",
    b: "text",
    c: false,
    e: "[\n  1\n]",
  });
});

test("inputs for files are recognized by their names", () => {
  const field = (name: string, description = "") => ({ name, type: "STRING", description, required: true });
  expect(takesFile(field("invoice_pdf"))).toBe(true);
  expect(takesFile(field("invoice", "The scan of the invoice"))).toBe(true);
  expect(takesFile(field("profile"))).toBe(false);
  expect(takesFile({ ...field("files"), type: "ARRAY" })).toBe(false);
});

test("required inputs without a value are missing, unless the message is the only one", () => {
  const fields = [input("topic"), input("note", { required: false }), input("days", { type: "INTEGER" })].map(
    (each) => ({ ...each, required: each.required ?? false }),
  );
  const names = (values: Record<string, unknown>, message = "") =>
    missingFields(fields, values, message).map(({ name }) => name);
  expect(names({})).toEqual(["topic", "days"]);
  expect(names({ days: 3 })).toEqual(["topic"]);
  expect(names({ days: 3 }, "Rain")).toEqual([]);
  expect(names({ topic: "Rain" }, "Rain")).toEqual(["days"]);
  expect(names({ topic: "Rain", days: 3 })).toEqual([]);
});

test("the message of a run reaches a task by the name of an input, in place of a text, or in a condition", () => {
  const agent = (inputs: InputParameter[], change: Partial<Task> = {}): WorkflowDocument => ({
    ...document,
    tasks: [{ ...task("a", inputs), ...change }],
    connections: [],
  });
  expect(usesMessage(agent([input("human_msg")]))).toBe(true);
  expect(usesMessage(agent([input("topic", { source: "human_input" })]))).toBe(true);
  expect(usesMessage(agent([], { when: "trigger.human_msg != ''" }))).toBe(true);
  expect(usesMessage(agent([input("text"), input("rate", { source: "human_input", type: "FLOAT" })]))).toBe(
    false,
  );
});
