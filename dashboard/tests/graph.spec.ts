import { expect, test } from "@playwright/test";
import {
  asDocument,
  closesCycle,
  outputsOf,
  connectionError,
  type Task,
  type WorkflowDocument,
} from "../src/graph/document";
import { addTask, connect, depend, removeTask, replaceTask } from "../src/graph/documentEdits";
import { layout } from "../src/graph/layout";
import { diffLines } from "../src/features/agents/diff";
import { groupOf, filterOf, readValue, writtenValue } from "../src/features/agents/rowFilter";
import { inputTypeOf } from "../src/components/columnType";

function task(id: string, inputType = "STRING", outputType = "STRING"): Task {
  return {
    id,
    kind: "AI",
    name: id,
    instructions: "Do it.",
    input_parameters: [{ name: "in", type: inputType, description: "x", source: "system_generated" }],
    expected_output: [{ name: "out", type: outputType, description: "x" }],
  };
}

function documentOf(...tasks: Task[]): WorkflowDocument {
  return { name: "x", assignment_rules: [], tasks, connections: [], dependencies: [] };
}

const wire = (from: string, to: string) => ({
  from: { task: from, output: "out" },
  to: { task: to, input: "in" },
});

test("connections are checked by type and order", () => {
  const cases: [string, string, boolean][] = [
    ["STRING", "STRING", true],
    ["DATETIME", "STRING", true],
    ["PDF", "STRING", true],
    ["INTEGER", "FLOAT", true],
    ["FLOAT", "INTEGER", false],
    ["BOOLEAN", "STRING", false],
    ["STRING", "ARRAY", false],
    ["STRING", "OBJECT", false],
  ];
  for (const [output, input, fits] of cases) {
    const found = connectionError(documentOf(task("a", "STRING", output), task("b", input)), wire("a", "b"));
    expect(found === null, `${output} → ${input}: ${found}`).toBe(fits);
  }
  const chain = connect(documentOf(task("a"), task("b"), task("c")), wire("a", "b"));
  expect(connectionError(chain, wire("b", "a"))).toContain("loop");
  expect(connectionError(chain, wire("c", "b"))).toContain("already connected");
  expect(closesCycle(depend(chain, { from: "b", to: "c" }), "c", "a")).toBe(true);
});

test("unnamed file outputs get the same names as on the server", () => {
  const file = { type: "PDF", description: "x" };
  const named = (name: string) => ({ name, type: "STRING", description: "x" });
  const outputs = { ...task("a"), expected_output: [file, named("file"), file, file, named("file_3")] };
  expect(outputsOf(outputs).map((each) => each.name)).toEqual([
    "file_2",
    "file",
    "file_4",
    "file_5",
    "file_3",
  ]);
  const other = { ...task("b"), expected_output: [{ ...file, type: "STRING" }, file] };
  expect(outputsOf(other).map((each) => each.name)).toEqual(["", "file"]);
});

test("renaming keeps connections, removing deletes them", () => {
  const chain = depend(connect(documentOf(task("a"), task("b")), wire("a", "b")), { from: "a", to: "b" });
  const old = chain.tasks[0]!;
  const renamed = replaceTask(chain, old, {
    ...old,
    id: "first",
    expected_output: [{ name: "text", type: "STRING", description: "x" }],
  });
  expect(renamed.connections).toEqual([
    { from: { task: "first", output: "text" }, to: { task: "b", input: "in" } },
  ]);
  expect(renamed.dependencies).toEqual([{ from: "first", to: "b" }]);
  expect(removeTask(renamed, "b").connections).toEqual([]);
  expect(addTask(addTask(chain, "AI").document, "AI").id).toBe("ai_2");
});

test("an invalid document can still be drawn", () => {
  expect(asDocument(null).tasks).toEqual([]);
  expect(asDocument({ name: 3, tasks: [1, { id: 2 }], connections: [{ from: 1 }] })).toMatchObject({
    name: "",
    tasks: [{ id: "", name: "" }],
    connections: [],
  });
});

test("tasks are placed to the right of their predecessors, even with a cycle", () => {
  const chain = connect(connect(documentOf(task("c"), task("a"), task("b")), wire("a", "b")), wire("b", "c"));
  const places = layout(chain);
  expect(places.get("a")!.x).toBeLessThan(places.get("b")!.x);
  expect(places.get("b")!.x).toBeLessThan(places.get("c")!.x);
  expect(layout(depend(chain, { from: "c", to: "a" })).size).toBe(3);
});

test("the diff lists removed and added lines", () => {
  const kinds = (before: string, after: string) =>
    diffLines(before, after).map((line) => line.kind[0] + line.text);
  expect(kinds("a\nb\nc", "a\nc")).toEqual(["sa", "rb", "sc"]);
  expect(kinds("a\nb", "a\nx\nb")).toEqual(["sa", "ax", "sb"]);
  expect(kinds("a", "a")).toEqual(["sa"]);
});

test("row filters survive the conversion to groups and back", () => {
  const one = { column: "amount", op: ">=", value: 3 };
  const two = { column: "name", op: "in", value: ["a", "b"] };
  const nested = { any: [{ all: [one, { not: two }] }, { not: { any: [one, { not: { all: [two] } }] } }] };
  for (const filter of [
    undefined,
    one,
    { all: [one, two] },
    { any: [one] },
    { not: one },
    { not: { all: [one] } },
    { not: { not: two } },
    { all: [{ any: [one] }] },
    nested,
  ]) {
    expect(filterOf(groupOf(filter as never, "")!)).toEqual(filter);
  }
  expect(groupOf(nested as never, "/filter")).toMatchObject({
    join: "any",
    parts: [
      { join: "all", at: ["/filter/any/0", "/filter/any/0/all"] },
      {
        join: "none",
        parts: [{ at: expect.arrayContaining(["/filter/any/1/not/any/0/value"]) }, { join: "not_all" }],
      },
    ],
  });
  // Simplified, with the same meaning.
  expect(filterOf(groupOf({ not: { any: [one] } } as never, "")!)).toEqual({ not: one });
  for (const invalid of [3, "all", {}, { all: 3 }, { all: [], any: [] }, { not: [one] }, { all: [null] }]) {
    expect(groupOf(invalid as never, ""), JSON.stringify(invalid)).toBeNull();
  }
});

test("typed text becomes a value of the column's type", () => {
  expect(readValue("3", "=", "BIGINT")).toBe(3);
  expect(readValue("3.5", "=", "DECIMAL(18,2)")).toBe(3.5);
  expect(readValue("12345678901234567890", "=", "BIGINT")).toBe("12345678901234567890");
  expect(readValue("three", "=", "BIGINT")).toBe("three");
  expect(readValue("True", "=", "BOOLEAN")).toBe(true);
  expect(readValue("1, 2,", "in", "INTEGER")).toEqual([1, 2]);
  expect(readValue("3", "contains", "VARCHAR")).toBe("3");
  expect(writtenValue(["a", 2])).toBe("a, 2");
});

test("column types map to input types where possible", () => {
  expect(["UBIGINT", "DECIMAL(18,3)", "BOOLEAN", "TIMESTAMP", "VARCHAR"].map(inputTypeOf)).toEqual([
    "INTEGER",
    "FLOAT",
    "BOOLEAN",
    "STRING",
    "STRING",
  ]);
  expect(["INTEGER[]", "STRUCT(a INTEGER)", "MAP(VARCHAR, INTEGER)"].map(inputTypeOf)).toEqual([
    null,
    null,
    null,
  ]);
});
