import { expect, test } from "vitest";
import { paste } from "./clipboard";
import { EMPTY_CANVAS } from "./canvas";
import { conditionNames, durationParts, flowBadgesOf, withCondition } from "./controlFlow";
import { asDocument, connectionError, type Task, type WorkflowDocument } from "./document";
import { connectToTask, replaceTask } from "./documentEdits";

const task = (id: string, fields: object = {}) => ({
  id,
  kind: "AI",
  name: id,
  instructions: "",
  input_parameters: [{ name: "in", type: "STRING", description: "", source: "system_generated" }],
  expected_output: [
    { name: "ok", type: "BOOLEAN", description: "" },
    { name: "text", type: "STRING", description: "" },
  ],
  ...fields,
});

const LIST = {
  name: "rows",
  type: "ARRAY",
  items: { type: "STRING" },
  description: "",
  source: "human_input",
};

const DOCUMENT = asDocument({
  name: "Agent",
  tasks: [
    task("ask"),
    task("each", { for_each: { input: "rows" }, input_parameters: [LIST] }),
    task("then", { when: "tasks.ask.ok && tasks.each.ok.exists(x, x)" }),
    task("again", {
      repeat: { until: "outputs.ok", max: 3 },
      input_parameters: [
        { name: "previous.text", type: "STRING", description: "", source: "system_generated" },
      ],
    }),
  ],
  connections: [{ from: { task: "ask", output: "text" }, to: { task: "then", input: "in" } }],
  dependencies: [{ from: "each", to: "then" }],
});

const find = (document: WorkflowDocument, id: string) => document.tasks.find((each) => each.id === id)!;

test("a condition may use outputs of predecessors, known inputs and the trigger", () => {
  expect(
    conditionNames(DOCUMENT, find(DOCUMENT, "then")).map(({ text, type }) => `${text}: ${type}`),
  ).toEqual([
    "tasks.ask.ok: BOOLEAN",
    "tasks.ask.text: STRING",
    "tasks.each.ok: ARRAY of BOOLEAN",
    "tasks.each.text: ARRAY of STRING",
    "inputs.`in`: STRING",
    "trigger.human_msg: STRING",
    "trigger.file_urls: ARRAY of STRING",
  ]);
});

test("new names of tasks, inputs and outputs are followed by the control flow", () => {
  const renamed = (id: string, change: (task: Task) => Partial<Task>) => {
    const old = find(DOCUMENT, id);
    return replaceTask(DOCUMENT, old, { ...old, ...change(old) });
  };
  expect(
    find(
      renamed("ask", () => ({ id: "decide" })),
      "then",
    ).when,
  ).toContain("tasks.decide.ok");
  const done = (old: Task) => ({
    expected_output: [{ ...old.expected_output![0]!, name: "done" }, old.expected_output![1]!],
  });
  expect(find(renamed("ask", done), "then").when).toContain("tasks.ask.done");
  expect(find(renamed("again", done), "again").repeat?.until).toBe("outputs.done");
  const lines = renamed("each", () => ({ input_parameters: [{ ...LIST, name: "lines" }] }));
  expect(find(lines, "each").for_each?.input).toBe("lines");
  const draft = (old: Task) => ({
    expected_output: [old.expected_output![0]!, { ...old.expected_output![1]!, name: "draft" }],
  });
  expect(find(renamed("again", draft), "again").input_parameters?.[0]?.name).toBe("previous.draft");
});

test("copies depend on the copied tasks, and on the others as before", () => {
  const { tasks, connections = [], dependencies = [] } = DOCUMENT;
  const fragment = {
    tasks: tasks.filter(({ id }) => id === "ask" || id === "then"),
    connections: connections!,
    dependencies: dependencies!,
    positions: {},
    notes: [],
  };
  const { document } = paste(DOCUMENT, EMPTY_CANVAS, fragment, { x: 0, y: 0 });
  expect(find(document, "then_2").when).toBe("tasks.ask_2.ok && tasks.each.ok.exists(x, x)");
});

test("the outputs of a task that runs for each item connect to lists", () => {
  const from = { task: "each", output: "text" };
  expect(connectionError(DOCUMENT, { from, to: { task: "again", input: "previous.text" } })).toContain(
    "ARRAY of STRING",
  );
  const connected = connectToTask(DOCUMENT, from, "again") as WorkflowDocument;
  expect(find(connected, "again").input_parameters?.at(-1)).toMatchObject({
    name: "text",
    type: "ARRAY",
    items: { type: "STRING" },
  });
});

test("a second condition is added to the first", () => {
  const once = withCondition(DOCUMENT, "ask", "inputs.a || inputs.b");
  expect(find(withCondition(once, "ask", "!tasks.c.ok"), "ask").when).toBe(
    "(inputs.a || inputs.b) && !tasks.c.ok",
  );
});

test("badges say when and how often a task runs", () => {
  const wait = asDocument({
    tasks: [
      task("wait", {
        kind: "App",
        tool_id: 3,
        when: "!tasks.ask.ok",
        input_parameters: [
          { name: "seconds", type: "FLOAT", description: "", source: "task_config", value: "5400" },
        ],
      }),
    ],
  }).tasks[0]!;
  expect(flowBadgesOf(wait).map(({ text }) => text)).toEqual(["if not ok", "waits 90 minutes"]);
  expect(flowBadgesOf(find(DOCUMENT, "each")).map(({ text }) => text)).toEqual(["for each rows"]);
  expect(flowBadgesOf(find(DOCUMENT, "again")).map(({ text }) => text)).toEqual(["until ok"]);
  expect(durationParts(172_800)).toEqual({ amount: 2, unit: "day" });
});
