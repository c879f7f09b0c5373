import { describe, expect, test } from "vitest";
import type { Schemas } from "../../api";
import { declaredOutputsOf, inputsOf, type Task, type WorkflowDocument } from "../../graph/document";
import { addTask, addTaskAfter } from "../../graph/documentEdits";
import {
  differsFrom,
  parametersOfCode,
  parametersOfTool,
  replacedBy,
  withParameters,
} from "./schemaParameters";

const tool = (input_schema: object, output_schema: object | null = null) =>
  ({ input_schema, output_schema }) as unknown as Schemas["Tool"];

const HTTP = parametersOfTool(
  tool(
    {
      type: "object",
      properties: {
        url: { type: "string", description: "Absolute URL" },
        method: { type: "string", enum: ["GET", "POST"] },
        headers: { type: "object", additionalProperties: { type: "string" } },
        ids: { type: ["array", "null"], items: { type: "integer" } },
        body: {},
      },
      required: ["url"],
      additionalProperties: false,
    },
    {
      type: "object",
      properties: {
        status: { type: "integer" },
        body: { type: "string" },
        json: {},
        note: { type: "string" },
      },
      required: ["status", "body"],
    },
  ),
);

const empty: WorkflowDocument = { name: "A", assignment_rules: [], tasks: [] };
const taskOf = (document: WorkflowDocument, id: string): Task =>
  document.tasks.find((each) => each.id === id)!;

describe("a tool's schema", () => {
  test("becomes inputs with types, descriptions and required marks", () => {
    expect(
      HTTP.inputs.map(({ name, type, required, description }) => [name, type, required, description]),
    ).toEqual([
      ["url", "STRING", true, "Absolute URL"],
      ["method", "STRING", false, "Method (GET, POST)"],
      ["headers", "OBJECT", false, "Headers"],
      ["ids", "ARRAY", false, "Ids"],
      ["body", "STRING", false, "Body"],
    ]);
    expect(HTTP.inputs[3]!.items).toEqual({ type: "INTEGER" });
  });

  test("becomes the outputs that are always returned and have a basic type", () => {
    expect(HTTP.outputs.map(({ name, type }) => [name, type])).toEqual([
      ["status", "INTEGER"],
      ["body", "STRING"],
    ]);
  });
});

describe("choosing a tool", () => {
  const { document, id } = addTask(empty, "App");

  test("fills in a new task and replaces its untouched output", () => {
    const update = withParameters(document, taskOf(document, id), HTTP, null);
    const task = taskOf(update.document, id);
    expect(task.input_parameters).toHaveLength(5);
    expect(task.expected_output?.map((each) => each.name)).toEqual(["status", "body"]);
    expect(update.inUse).toEqual([]);
    expect(differsFrom(task, HTTP)).toBe(false);
    expect(differsFrom(taskOf(document, id), HTTP)).toBe(true);
  });

  test("moves a connection of the untouched output to an output that fits", () => {
    const followed = addTaskAfter(document, { task: id, output: "result" }, "AI");
    const update = withParameters(followed.document, taskOf(followed.document, id), HTTP, null);
    expect(update.inUse).toEqual([]);
    expect(update.document.connections).toEqual([
      { from: { task: id, output: "body" }, to: { task: followed.id, input: "result" } },
    ]);
    expect(taskOf(update.document, id).expected_output?.map((each) => each.name)).toEqual(["status", "body"]);
  });

  test("keeps existing inputs, and reports the removed ones that are in use", () => {
    const first = withParameters(document, taskOf(document, id), HTTP, null).document;
    const task = taskOf(first, id);
    const filled = {
      ...task,
      input_parameters: task.input_parameters!.map((each) =>
        each.name === "url" ? { ...each, value: "https://example.com" } : each,
      ),
    };
    const other = parametersOfTool(
      tool({ properties: { method: { type: "integer" }, to: { type: "string" } }, required: ["to"] }),
    );
    const update = withParameters({ ...first, tasks: [filled] }, filled, other, HTTP);
    expect(update.inUse).toEqual(["url"]);
    const changed = taskOf(update.document, id);
    expect(changed.input_parameters?.map((each) => [each.name, each.type])).toEqual([
      ["method", "STRING"],
      ["to", "STRING"],
    ]);
    const kept = withParameters({ ...first, tasks: [filled] }, filled, other, HTTP, true);
    expect(taskOf(kept.document, id).input_parameters).toHaveLength(6);
  });
});

test("code gets its inputs from outputs of the same name", () => {
  const app = addTask(empty, "App");
  const filled = withParameters(app.document, taskOf(app.document, app.id), HTTP, null).document;
  const { document, id } = addTask(filled, "Coder");
  const code = parametersOfCode({
    inputs: [
      { name: "body", type: "STRING", description: null, required: null },
      { name: "unit_price", type: "FLOAT", description: null, required: true },
      { name: "note", type: "STRING", description: "A note", required: false },
      { name: "rows", type: "ARRAY", description: null, required: false, items: { type: "INTEGER" } },
      { name: "any", type: "ARRAY", description: null, required: false },
    ],
    outputs: [{ name: "total", type: "FLOAT", description: null }],
  });
  const update = withParameters(document, taskOf(document, id), code, null);
  expect(update.document.connections).toEqual([
    { from: { task: app.id, output: "body" }, to: { task: id, input: "body" } },
  ]);
  const task = taskOf(update.document, id);
  expect(task.input_parameters?.map((each) => [each.name, each.source, each.description])).toEqual([
    ["body", "system_generated", "Body"],
    ["unit_price", "system_generated", "Unit price"],
    ["note", "task_config", "A note"],
    ["rows", "task_config", "Rows"],
    ["any", "task_config", "Any"],
  ]);
  expect(task.input_parameters?.slice(3).map(({ items }) => items)).toEqual([{ type: "INTEGER" }, undefined]);
  expect(task.expected_output?.map((each) => each.name)).toEqual(["total"]);
});

test("an update by changed code removes inputs and outputs that it no longer declares", () => {
  const declaring = (input: string, output: string) =>
    parametersOfCode({
      inputs: input ? [{ name: input, type: "STRING", description: null, required: true }] : [],
      outputs: output ? [{ name: output, type: "STRING", description: null }] : [],
    });
  const app = addTask(empty, "App");
  const filled = withParameters(app.document, taskOf(app.document, app.id), HTTP, null).document;
  const { document, id } = addTask(filled, "Coder");
  const before = withParameters(document, taskOf(document, id), declaring("body", "old"), null).document;
  const task = taskOf(before, id);
  const renamed = declaring("text", "new");
  const update = withParameters(before, task, renamed, replacedBy(task, renamed));
  expect(update.inUse).toEqual(["body"]);
  expect(inputsOf(taskOf(update.document, id)).map(({ name }) => name)).toEqual(["text"]);
  expect(declaredOutputsOf(taskOf(update.document, id)).map(({ name }) => name)).toEqual(["new"]);
  expect(update.document.connections).toEqual([]);
  const anything = declaring("", "");
  expect(taskOf(withParameters(before, task, anything, replacedBy(task, anything)).document, id)).toEqual(
    task,
  );
});
