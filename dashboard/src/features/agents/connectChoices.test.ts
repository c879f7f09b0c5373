import { expect, test } from "vitest";
import { asDocument, type WorkflowDocument } from "../../graph/document";
import { connectChoices, unconnectable } from "./connectChoices";

const input = (name: string, type = "STRING") => ({
  name,
  type,
  description: "",
  required: true,
  source: "system_generated",
});
const task = (id: string, inputs: object[], outputs: [name: string, type: string][]) => ({
  id,
  kind: "AI",
  name: id,
  instructions: "",
  input_parameters: inputs,
  expected_output: outputs.map(([name, type]) => ({ name, type, description: "" })),
});

const DOCUMENT = asDocument({
  name: "Review",
  tasks: [
    task("first", [], [["text", "STRING"]]),
    task("check", [input("draft"), input("count", "INTEGER")], [["approved", "BOOLEAN"]]),
    task("send", [], []),
  ],
  connections: [],
  dependencies: [{ from: "check", to: "send" }],
});

const choices = (from: string, document: WorkflowDocument = DOCUMENT) =>
  connectChoices(
    document,
    document.tasks.find(({ id }) => id === from)!,
  );
const texts = (from: string) => choices(from).map(({ to, label }) => `${to.id}: ${label}`);

test("free inputs of the type come first, then a new input and the order", () => {
  expect(texts("first")).toEqual([
    "check: Pass text to the input draft",
    "check: Pass text as a new input",
    "check: Run after, without a value",
    "send: Pass text as a new input",
    "send: Run after, without a value",
  ]);
});

test("a yes or no can begin a branch, and no choice closes a loop or repeats the order", () => {
  expect(texts("check")).toEqual([
    "first: Pass approved as a new input",
    "first: Run only if approved",
    "first: Run only if not approved",
    "first: Run after, without a value",
    "send: Pass approved as a new input",
    "send: Run only if approved",
    "send: Run only if not approved",
  ]);
  expect(texts("send")).toEqual(["first: Run after, without a value"]);
});

test("a task whose tool declares the inputs gets values for those, not for new ones", () => {
  const fixed = (name: string, value?: string) => ({ ...input(name), source: "task_config", value });
  const document = asDocument({
    ...DOCUMENT,
    tasks: [
      DOCUMENT.tasks[0],
      { ...task("send", [fixed("url", "https://example.com/"), fixed("body")], []), kind: "App" },
    ],
    dependencies: [],
  });
  expect(choices("first", document).map(({ label }) => label)).toEqual([
    "Pass text to the input body",
    "Replace the fixed value of url with text",
    "Run after, without a value",
  ]);
  const connected = choices("first", document)[0]!.apply() as WorkflowDocument;
  expect(connected.tasks[1]!.input_parameters![1]).toMatchObject({
    name: "body",
    source: "system_generated",
  });
});

test("a choice connects the tasks", () => {
  const [free, fresh] = choices("first").map(({ apply }) => apply() as WorkflowDocument);
  expect(free!.connections).toEqual([
    { from: { task: "first", output: "text" }, to: { task: "check", input: "draft" } },
  ]);
  expect(fresh!.connections).toEqual([
    { from: { task: "first", output: "text" }, to: { task: "check", input: "text" } },
  ]);
  const branch = choices("check").find(
    ({ to, label }) => to.id === "send" && label === "Run only if approved",
  )!;
  const branched = branch.apply() as WorkflowDocument;
  expect(branched.tasks.at(-1)!.when).toBe("tasks.check.approved");
  expect(branched.dependencies).toEqual(DOCUMENT.dependencies);
});

const APP = asDocument({
  name: "Mail",
  tasks: [
    task("write", [], [["text", "STRING"]]),
    {
      ...task("send", [{ ...input("subject"), source: "task_config", value: "Hello" }], []),
      kind: "App",
    },
  ],
  connections: [],
  dependencies: [{ from: "write", to: "send" }],
});

test("a fixed value can be replaced, and a task that can’t be connected has a reason", () => {
  expect(choices("write", APP).map(({ label }) => label)).toEqual([
    "Replace the fixed value of subject with text",
  ]);
  const replaced = choices("write", APP)[0]!.apply() as WorkflowDocument;
  expect(replaced.tasks[1]!.input_parameters).toEqual([
    { ...input("subject"), source: "system_generated", value: undefined },
  ]);
  const reasons = (document: WorkflowDocument, id: string) => {
    const from = document.tasks.find((each) => each.id === id)!;
    return unconnectable(document, from, connectChoices(document, from)).map(({ reason }) => reason);
  };
  expect(reasons(APP, "write")).toEqual([]);
  expect(reasons(replaced, "write")).toEqual([
    "Already runs after this task, and no free input takes one of its outputs",
  ]);
  expect(reasons(replaced, "send")).toEqual(["Already runs before this task"]);
});
