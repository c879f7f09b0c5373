import { describe, expect, test } from "vitest";
import type { Task, WorkflowDocument } from "../../graph/document";
import { changesBetween, withRemovedTasks } from "./changes";

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
      { label: "On failure", before: null, after: "RETRY" },
      { label: "Run only if", before: null, after: "tasks.c.ok" },
      { label: "Join", before: null, after: "any" },
      { label: "For each item of", before: null, after: "rows" },
      { label: "If an item fails", before: null, after: "collect" },
      { label: "Repeat until", before: null, after: "outputs.ok" },
      { label: "At most (runs)", before: null, after: "3" },
      { label: "Limit of cost", before: null, after: "2" },
      { label: "Connection to text", before: null, after: "c.result" },
      { label: "Runs after", before: null, after: "c" },
    ]);
  });
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
