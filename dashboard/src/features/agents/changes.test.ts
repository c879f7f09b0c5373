import { describe, expect, test } from "vitest";
import type { Task, WorkflowDocument } from "../../graph/document";
import { changesBetween, printedFields, withRemovedTasks } from "./changes";

const task = (id: string, change: Partial<Task> = {}): Task => ({
  id,
  kind: "AI",
  name: id.toUpperCase(),
  instructions: "Think.",
  input_parameters: [],
  expected_output: [{ name: "result", type: "STRING", description: "The result" }],
  ...change,
});
const agent = (tasks: Task[], change: Partial<WorkflowDocument> = {}): WorkflowDocument => ({
  name: "A",
  description: "",
  assignment_rules: [],
  tasks,
  ...change,
});

describe("changes between two definitions", () => {
  test("are none for equal ones, whatever the order of fields", () => {
    const other = JSON.parse(
      '{"tasks":[{"expected_output":[{"type":"STRING","description":"The result","name":"result"}],"instructions":"Think.","name":"A","kind":"AI","id":"a"}],"name":"A","assignment_rules":[]}',
    ) as WorkflowDocument;
    expect(changesBetween(agent([task("a")]), other)).toEqual({ agent: [], tasks: [] });
  });

  test("are listed by task, with the changed fields", () => {
    const flow: Partial<Task> = {
      when: "tasks.c.ok",
      join: "any",
      for_each: { input: "rows", on_error: "collect" },
      repeat: { until: "outputs.ok", max: 3 },
      limits: { cost: 2 },
    };
    const changes = changesBetween(
      agent([task("a"), task("b")]),
      agent([task("c"), task("a", { instructions: "Think hard.", error_policy: "RETRY", ...flow })], {
        description: "New",
        connections: [{ from: { task: "c", output: "result" }, to: { task: "a", input: "text" } }],
        dependencies: [{ from: "c", to: "a" }],
      }),
    );
    expect(changes.agent).toEqual([{ label: "Description", before: null, after: "New" }]);
    expect(changes.tasks.map((each) => [each.id, each.change])).toEqual([
      ["c", "added"],
      ["a", "changed"],
      ["b", "removed"],
    ]);
    expect(changes.tasks[1]!.fields).toEqual([
      { label: "Instructions", before: "Think.", after: "Think hard." },
      { label: "On failure", before: null, after: "Retry the task" },
      { label: "Run only if", before: null, after: "tasks.c.ok" },
      { label: "Join", before: null, after: "Any task before it must run" },
      { label: "For each item of", before: null, after: "rows" },
      { label: "If an item fails", before: null, after: "Leave it empty" },
      { label: "Repeat until", before: null, after: "outputs.ok" },
      { label: "At most (runs)", before: null, after: "3" },
      { label: "Limit of cost", before: null, after: "2" },
      { label: "Connection to text", before: null, after: "result of “C”" },
      { label: "Runs after", before: null, after: "“C”" },
    ]);
  });
});

test("inputs are written in the words of the form, and a new name changes only its own task", () => {
  const input = (required: boolean) => ({
    name: "text",
    source: "system_generated",
    type: "STRING",
    description: "A text",
    required,
  });
  const edges = { dependencies: [{ from: "a", to: "b" }] };
  const changes = changesBetween(
    agent([task("a"), task("b", { input_parameters: [input(true)] })], edges),
    agent([task("a", { name: "First" }), task("b", { input_parameters: [input(false)] })], edges),
  );
  const text = (required: string) =>
    `Type: STRING\nDescription: A text\nRequired: ${required}\nSource: Another task or the system`;
  expect(changes.tasks.map(({ id, fields }) => [id, fields])).toEqual([
    ["a", [{ label: "Name", before: "A", after: "First" }]],
    ["b", [{ label: "Input text", before: text("Yes"), after: text("No") }]],
  ]);
});

test("removed tasks are drawn with their connections", () => {
  const edge = (from: string, to: string) => ({
    from: { task: from, output: "result" },
    to: { task: to, input: "result" },
  });
  const before = agent([task("a"), task("b"), task("c")], {
    connections: [edge("a", "b"), edge("a", "c")],
    dependencies: [{ from: "b", to: "c" }],
  });
  const after = agent([task("a"), task("c"), task("d")], { connections: [edge("c", "d")] });
  const drawn = withRemovedTasks(before, after);
  expect(drawn.tasks.map(({ id }) => id)).toEqual(["a", "c", "d", "b"]);
  expect(drawn.connections).toEqual([edge("c", "d"), edge("a", "b")]);
  expect(drawn.dependencies).toEqual([{ from: "b", to: "c" }]);
});

test("paper has the types of inputs and outputs in words", () => {
  const outputs = (type: "STRING" | "PDF") => [{ name: "result", type, description: "Type: STRING" }];
  const printed = (type: "STRING" | "PDF") => {
    const shown = task("a", { expected_output: outputs(type) });
    return printedFields(agent([shown]), shown).get("Output result");
  };
  expect(printed("STRING")).toBe("Type: Text\nDescription: Type: STRING");
  expect(printed("PDF")).toMatch(/^Type: PDF\n/);
});
