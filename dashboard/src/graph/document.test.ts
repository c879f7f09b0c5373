import { describe, expect, test } from "vitest";
import {
  acceptedInputTypes,
  asDocument,
  BASIC_OUTPUTS,
  closesCycle,
  connectionError,
  edgesOf,
  FILE_OUTPUTS,
  inputsOf,
  isUnconnected,
  mainOutputOf,
  outputsOf,
  type Task,
} from "./document";

const task = (id: string, input: string, output: string): Task => ({
  id,
  kind: "AI",
  name: `Task ${id}`,
  instructions: "",
  input_parameters: [{ name: "in", type: input, description: "", source: "task_config" }],
  expected_output: [{ name: "out", type: output, description: "" }],
});

/** a → b by a connection, b → c by a dependency. */
const CHAIN = asDocument({
  name: "Chain",
  tasks: [task("a", "STRING", "STRING"), task("b", "STRING", "INTEGER"), task("c", "FLOAT", "CSV")],
  connections: [{ from: { task: "a", output: "out" }, to: { task: "b", input: "in" } }],
  dependencies: [{ from: "b", to: "c" }],
});

const connection = (from: string, to: string) => ({
  from: { task: from, output: "out" },
  to: { task: to, input: "in" },
});

describe("asDocument", () => {
  test.each([null, "text", 7, [], {}])("makes an empty document of %j", (value) => {
    expect(asDocument(value)).toEqual({
      name: "",
      assignment_rules: [],
      tasks: [],
      connections: [],
      dependencies: [],
    });
  });

  test("drops what the graph cannot draw and keeps every other field", () => {
    const document = asDocument({
      name: 5,
      color: "red",
      tasks: [null, { id: 1, kind: "AI", tools: [3] }],
      connections: [connection("a", "b"), { from: "a", to: null }],
      dependencies: "none",
    });
    expect(document).toEqual({
      name: "",
      color: "red",
      assignment_rules: [],
      tasks: [{ id: "", kind: "AI", name: "", instructions: "", tools: [3] }],
      connections: [connection("a", "b")],
      dependencies: [],
    });
  });
});

test.each([
  [
    ["PDF", "STRING:file", "PDF", "PDF", "STRING:file_3"],
    ["file_2", "file", "file_4", "file_5", "file_3"],
  ],
  [
    ["STRING", "PDF"],
    ["", "file"],
  ],
])("the unnamed file outputs among %j get the names that the server gives them", (outputs, names) => {
  const expected_output = outputs.map((each) => {
    const [type = "", name] = each.split(":");
    return { type, name, description: "" };
  });
  expect(outputsOf({ ...task("a", "STRING", "PDF"), expected_output }).map((each) => each.name)).toEqual(
    names,
  );
});

test("the next task gets the first output, after a tool the first text", () => {
  const read = task("a", "STRING", "INTEGER");
  const outputs = [
    { name: "status", type: "INTEGER", description: "" },
    { name: "body", type: "STRING", description: "" },
  ];
  expect(mainOutputOf({ ...read, kind: "AI", expected_output: outputs })?.name).toBe("status");
  expect(mainOutputOf({ ...read, kind: "App", expected_output: outputs })?.name).toBe("body");
  expect(mainOutputOf({ ...read, expected_output: [] })).toBeUndefined();
});

test("every output type connects to an input type, unknown ones to none", () => {
  for (const type of [...BASIC_OUTPUTS, ...FILE_OUTPUTS]) {
    expect(acceptedInputTypes(type)).not.toBeNull();
  }
  expect(acceptedInputTypes("INTEGER")).toEqual(["INTEGER", "FLOAT"]);
  expect(acceptedInputTypes("FLOAT")).toEqual(["FLOAT"]);
  expect(acceptedInputTypes("ARRAY")).toBeNull();
});

describe("connectionError", () => {
  test.each([
    ["STRING", "STRING", true],
    ["DATETIME", "STRING", true],
    ["PDF", "STRING", true],
    ["INTEGER", "FLOAT", true],
    ["FLOAT", "INTEGER", false],
    ["BOOLEAN", "STRING", false],
    ["STRING", "ARRAY", false],
    ["STRING", "OBJECT", false],
  ])("%s to %s: %s", (output, input, fits) => {
    const document = asDocument({ tasks: [task("a", "STRING", output), task("b", input, "STRING")] });
    expect(connectionError(document, connection("a", "b")) === null).toBe(fits);
  });

  test.each([
    ["an unknown task", connection("a", "z"), "Connect an output"],
    ["an unknown output", { ...connection("b", "c"), from: { task: "b", output: "x" } }, "Connect an output"],
    ["the task itself", connection("a", "a"), "its own output"],
    ["a loop", connection("b", "a"), "loop"],
  ])("rejects %s", (_, each, error) => {
    const document = { ...CHAIN, tasks: CHAIN.tasks.map(({ id }) => task(id, "STRING", "STRING")) };
    expect(connectionError(document, each)).toContain(error);
  });
});

test("a cycle may close over connections and dependencies", () => {
  expect(edgesOf(CHAIN)).toEqual([
    ["a", "b"],
    ["b", "c"],
  ]);
  expect(closesCycle(CHAIN, "c", "a")).toBe(true);
  expect(closesCycle(CHAIN, "a", "a")).toBe(true);
  expect(closesCycle(CHAIN, "a", "c")).toBe(false);
});

test("an input is unconnected if only a connection could supply it", () => {
  const parameters = [
    { name: "linked", source: "system_generated" },
    { name: "open", source: "system_generated" },
    { name: "rows", source: "system_generated", data_source: "DATA_LAKE" },
    { name: "fixed", source: "task_config" },
  ];
  const document = asDocument({
    tasks: [{ id: "a", input_parameters: parameters }],
    connections: [{ from: { task: "b", output: "x" }, to: { task: "a", input: "linked" } }],
  });
  const [reader] = document.tasks;
  const unconnected = inputsOf(reader!).filter((input) => isUnconnected(document, reader!, input));
  expect(unconnected.map(({ name }) => name)).toEqual(["open"]);
});
