import { describe, expect, test } from "vitest";
import {
  acceptedInputTypes,
  asDocument,
  BASIC_OUTPUTS,
  closesCycle,
  connectionError,
  edgesOf,
  FILE_OUTPUTS,
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

test("unnamed file outputs get free names, other unnamed outputs an empty one", () => {
  const outputs = [{ type: "PDF" }, { type: "CSV", name: "file_2" }, { type: "TEXT" }, { type: "STRING" }];
  const named = outputsOf({ ...task("a", "STRING", "PDF"), expected_output: outputs as never });
  expect(named.map((each) => each.name)).toEqual(["file", "file_2", "file_3", ""]);
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
  test("allows a connection that fits", () => {
    expect(connectionError(CHAIN, connection("b", "c"))).toBeNull();
  });

  test.each([
    ["an unknown task", connection("a", "z")],
    ["an unknown output", { ...connection("b", "c"), from: { task: "b", output: "x" } }],
    ["the task itself", connection("a", "a")],
    ["another type", connection("a", "c")],
    ["a connected input", connection("a", "b")],
    ["a loop", connection("c", "a")],
  ])("rejects %s", (_, each) => {
    expect(connectionError(CHAIN, each)).toEqual(expect.any(String));
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
