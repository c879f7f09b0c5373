import { expect, test } from "vitest";
import { asDocument, type WorkflowDocument } from "./document";
import {
  addTask,
  addTaskAfter,
  connect,
  connectInput,
  connectToTask,
  depend,
  freeName,
  insertOnEdge,
  newInput,
  numberedName,
  removeEdges,
  removeTask,
  renamedOutput,
  replaceTask,
  runAfter,
} from "./documentEdits";

const parameter = (name: string) => ({ name, type: "STRING", description: "", source: "task_config" });
const task = (id: string) => ({
  id,
  kind: "AI",
  name: id,
  instructions: "",
  input_parameters: [parameter("in")],
  expected_output: [parameter("out")],
});
const from = (id: string) => ({ task: id, output: "out" });
const to = (id: string) => ({ task: id, input: "in" });

/** Frozen, so that an edit that modifies the old document throws. */
const DOCUMENT = deepFreeze(
  asDocument({
    name: "Chain",
    tasks: [task("a"), task("b"), task("c")],
    connections: [
      { from: from("a"), to: to("b") },
      { from: from("b"), to: to("c") },
    ],
    dependencies: [
      { from: "a", to: "c" },
      { from: "b", to: "c" },
    ],
  }),
);

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

test("a new task gets a free ID and one output", () => {
  const first = addTask(DOCUMENT, "AI");
  const second = addTask(first.document, "AI");
  expect([first.id, second.id]).toEqual(["ai", "ai_2"]);
  expect(second.document.tasks.map((each) => each.id)).toEqual(["a", "b", "c", "ai", "ai_2"]);
  expect(second.document.tasks.at(-1)?.expected_output).toHaveLength(1);
});

test("a taken name gets the next number", () => {
  const names = (...all: string[]) => asDocument({ tasks: all.map((name) => ({ id: name, name })) });
  expect(freeName(names("AI task"), "Reply")).toBe("Reply");
  expect(freeName(names("AI task"), "AI task")).toBe("AI task 2");
  expect(freeName(names("AI task", "AI task 2", "AI task 3"), "AI task 2")).toBe("AI task 4");
  expect(freeName(names("Reply\nto all"), "Reply\nto all")).toBe("Reply\nto all 2");
});

test("a new parameter gets a number that is not in use, also after others were removed", () => {
  expect(numberedName("output", [])).toBe("output_1");
  expect(numberedName("input", [{ name: "input_2" }])).toBe("input_3");
  expect(numberedName("property", [{ name: "rate" }])).toBe("property_2");
});

test("a new input of a first task takes its value from the start of the run", () => {
  const sources = DOCUMENT.tasks.map((each) => newInput(DOCUMENT, each).source);
  expect(sources).toEqual(["human_input", "system_generated", "system_generated"]);
});

test("a new input is to be connected if an earlier task of the list may run before", () => {
  const document: WorkflowDocument = { ...DOCUMENT, connections: [], dependencies: [] };
  const sourceOf = (id: string, of = document) =>
    newInput(
      of,
      of.tasks.find((each) => each.id === id)!,
    ).source;
  expect(sourceOf("a")).toBe("human_input");
  expect(sourceOf("c")).toBe("system_generated");
  // The first of the list runs after the other, which must not get its output.
  const reversed = { ...document, tasks: document.tasks.slice(0, 2), dependencies: [{ from: "b", to: "a" }] };
  expect(sourceOf("a", reversed)).toBe("system_generated");
  expect(sourceOf("b", reversed)).toBe("human_input");
});

test("removing a task removes its edges", () => {
  const { tasks, connections, dependencies } = removeTask(DOCUMENT, "b");
  expect(tasks.map((each) => each.id)).toEqual(["a", "c"]);
  expect(connections).toEqual([]);
  expect(dependencies).toEqual([{ from: "a", to: "c" }]);
});

test("a renamed task keeps its edges, and renamed parameters their connections", () => {
  const [, b] = DOCUMENT.tasks;
  const { connections, dependencies } = replaceTask(DOCUMENT, b!, {
    ...b!,
    id: "beta",
    input_parameters: [parameter("question")],
    expected_output: [parameter("answer")],
  });
  expect(connections).toEqual([
    { from: from("a"), to: { task: "beta", input: "question" } },
    { from: { task: "beta", output: "answer" }, to: to("c") },
  ]);
  expect(dependencies).toContainEqual({ from: "beta", to: "c" });
});

test("adding a parameter renames no connection", () => {
  const [, b] = DOCUMENT.tasks;
  const more = { ...b!, input_parameters: [parameter("first"), parameter("in")] };
  expect(replaceTask(DOCUMENT, b!, more).connections).toEqual(DOCUMENT.connections);
});

test("an input has one connection", () => {
  const moved = connectInput(DOCUMENT, to("c"), from("a"));
  expect(moved.connections).toEqual([
    { from: from("a"), to: to("b") },
    { from: from("a"), to: to("c") },
  ]);
  expect(connectInput(DOCUMENT, to("c"), null).connections).toEqual([{ from: from("a"), to: to("b") }]);
});

test("edges can be added to a document without lists", () => {
  const empty = { name: "", assignment_rules: [], tasks: [] };
  const added = { from: from("a"), to: to("c") };
  expect(connect(empty, added).connections).toEqual([added]);
  expect(depend(empty, { from: "a", to: "c" }).dependencies).toEqual([{ from: "a", to: "c" }]);
});

test("a connected input gets its value from the connection", () => {
  const { tasks } = connect(DOCUMENT, { from: from("b"), to: to("a") });
  expect(tasks.map((each) => each.input_parameters?.[0]?.source)).toEqual([
    "system_generated",
    "task_config",
    "task_config",
  ]);
});

test("the predecessors of a task are replaced as a whole", () => {
  expect(runAfter(DOCUMENT, "c", ["a"]).dependencies).toEqual([{ from: "a", to: "c" }]);
  expect(runAfter(DOCUMENT, "b", ["a"]).dependencies).toHaveLength(3);
});

test("edges are removed by their IDs in the graph", () => {
  const { connections, dependencies } = removeEdges(DOCUMENT, [
    "connection/0",
    "dependency/1",
    "dependency/9",
  ]);
  expect(connections).toEqual([{ from: from("b"), to: to("c") }]);
  expect(dependencies).toEqual([{ from: "a", to: "c" }]);
});

test("an output dropped on a task becomes an input with a connection", () => {
  const connected = connectToTask(DOCUMENT, from("a"), "c");
  expect(connected).toMatchObject({
    connections: [...(DOCUMENT.connections ?? []), { from: from("a"), to: { task: "c", input: "out" } }],
  });
  const twice = typeof connected === "string" ? connected : connectToTask(connected, from("b"), "c");
  expect(twice).toMatchObject({
    tasks: [
      {},
      {},
      {
        input_parameters: [
          { name: "in" },
          { name: "out", type: "STRING", required: true },
          { name: "out_2" },
        ],
      },
    ],
  });
  for (const [output, target, reason] of [
    [from("c"), "a", "loop"],
    [from("a"), "a", "own output"],
    [from("a"), "z", "Connect an output"],
  ] as const) {
    expect(connectToTask(DOCUMENT, output, target)).toContain(reason);
  }
});

test("an output connects to an input that waits for it", () => {
  const waiting = (id: string, kind: string, name: string) => ({
    ...task(id),
    kind,
    input_parameters: [{ ...parameter(name), source: "system_generated" }],
  });
  const document = asDocument({
    name: "",
    tasks: [task("a"), waiting("h", "Human", "out"), waiting("app", "App", "url")],
  });
  for (const [id, input] of [
    ["h", "out"],
    ["app", "url"],
  ] as const) {
    expect(connectToTask(document, from("a"), id)).toMatchObject({
      tasks: document.tasks,
      connections: [{ from: from("a"), to: { task: id, input } }],
    });
  }
});

test("a task is added after an output or after another task", () => {
  const { document, id } = addTaskAfter(DOCUMENT, from("c"), "Human");
  expect(document.connections?.at(-1)).toEqual({ from: from("c"), to: { task: id, input: "out" } });
  expect(addTaskAfter(DOCUMENT, "c", "AI").document.dependencies?.at(-1)).toEqual({ from: "c", to: "ai" });
});

test("a task is inserted on a connection and on a dependency", () => {
  const { document, id } = insertOnEdge(DOCUMENT, "connection/0", "AI");
  expect(document.connections).toEqual([
    DOCUMENT.connections?.[1],
    { from: from("a"), to: { task: id, input: "out" } },
    { from: { task: id, output: "result" }, to: to("b") },
  ]);
  const order = insertOnEdge(DOCUMENT, "dependency/0", "Human").document;
  expect(order.dependencies).toEqual([
    { from: "b", to: "c" },
    { from: "a", to: "human" },
    { from: "human", to: "c" },
  ]);
});

test("a task without a fitting output is inserted with a dependency", () => {
  const fields = { expected_output: [{ name: "flag", type: "BOOLEAN", description: "" }] };
  const { document } = insertOnEdge(DOCUMENT, "connection/0", "App", fields);
  expect(document.dependencies?.at(-1)).toEqual({ from: "app", to: "b" });
});

test("a description that nobody has written follows the name of its output", () => {
  const output = { name: "result", type: "STRING", description: "The result" };
  expect(renamedOutput(output, "net_total")).toEqual({
    name: "net_total",
    type: "STRING",
    description: "The net total",
  });
  expect(renamedOutput({ ...output, description: "Net" }, "total").description).toBe("Net");
});

test("removed inputs and outputs lose their connections", () => {
  const [a, b] = DOCUMENT.tasks;
  const shorter = replaceTask(DOCUMENT, a!, { ...a!, expected_output: [] });
  expect(shorter.connections).toEqual([{ from: from("b"), to: to("c") }]);
  expect(replaceTask(DOCUMENT, b!, { ...b!, input_parameters: [] }).connections).toEqual([
    { from: from("b"), to: to("c") },
  ]);
});
