import { describe, expect, test } from "vitest";
import type { Schemas } from "../../api";
import { asDocument, inputsOf, type Task } from "../../graph/document";
import { parametersOfTool } from "./schemaParameters";
import { changeOf, rawOfInput, toolFormOf, typeFor, withInput } from "./toolInputs";

const tool = {
  tool_id: 1,
  provider: "builtin",
  tool_name: "http.request",
  title: "HTTP request",
  input_schema: {
    type: "object",
    properties: {
      url: { type: "string" },
      method: { type: "string", enum: ["GET", "POST"], description: "Default: GET" },
      headers: { type: "object", additionalProperties: { type: "string" } },
      body: { description: "Text or JSON" },
      to: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
      follow: { type: "boolean" },
      tries: { type: "integer" },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["url"],
    additionalProperties: false,
  },
} as unknown as Schemas["Tool"];

const task = (input_parameters: unknown[] = parametersOfTool(tool).inputs): Task =>
  asDocument({ tasks: [{ id: "call", kind: "App", name: "Call", input_parameters }] }).tasks[0]!;

const parameter = (name: string, of = task()) =>
  toolFormOf(tool, of).parameters.find(({ field }) => field.name === name)!;

const change = (name: string, raw: string) => {
  const { field, input } = parameter(name);
  return changeOf(field, input, raw);
};

describe("the form of a tool", () => {
  test("has the parameters of the schema, also those that the task lacks", () => {
    const form = toolFormOf(tool, task([{ name: "url", type: "STRING", source: "human_input" }]));
    expect(form.parameters.map(({ field, index }) => [field.name, index])).toEqual([
      ["url", 0],
      ["method", -1],
      ["headers", -1],
      ["body", -1],
      ["to", -1],
      ["follow", -1],
      ["tries", -1],
      ["tags", -1],
    ]);
    expect(form.closed).toBe(true);
    expect(parameter("method").field).toMatchObject({
      choices: ["GET", "POST"],
      description: "Default: GET",
    });
    expect(parameter("url").field.required).toBe(true);
  });

  test("leaves inputs of other names and types to their own cards", () => {
    const form = toolFormOf(
      tool,
      task([
        { name: "url", type: "ARRAY", items: { type: "STRING" } },
        { name: "mine", type: "STRING" },
        { name: "method", type: "STRING" },
      ]),
    );
    expect(form.others).toEqual([0, 1]);
    expect(form.parameters.map(({ field }) => field.name)).not.toContain("url");
  });

  test("keeps the format of the definition", () => {
    expect(change("method", "POST")).toEqual({ value: "POST" });
    expect(change("follow", "Yes")).toEqual({ value: true });
    expect(change("tries", "3")).toEqual({ value: "3" });
    expect(change("tries", "many")).toEqual({ value: "many" });
    expect(change("tags", '["a"]')).toEqual({ value: ["a"] });
    expect(change("headers", '[["Accept","text/plain"],["",""]]')).toEqual({
      value: { Accept: "text/plain" },
    });
    expect(change("url", "")).toEqual({ value: undefined });
    expect(change("tags", "[")).toHaveProperty("error");
  });

  test("shows the values of the definition", () => {
    const raw = (name: string, value: unknown) => {
      const inputs = parametersOfTool(tool).inputs.map((input) =>
        input.name === name ? { ...input, value } : input,
      );
      const { field, input } = parameter(name, task(inputs));
      return rawOfInput(field, input);
    };
    expect(raw("follow", "false")).toBe("No");
    expect(raw("tries", 3)).toBe("3");
    expect(raw("headers", { Accept: "text/plain" })).toBe('[["Accept","text/plain"]]');
    expect(raw("headers", { nested: {} })).toBe('{\n  "nested": {}\n}');
  });

  test("gives a parameter that accepts anything the type of its value or output", () => {
    const { field, input } = parameter("body");
    const json = { ...input, type: "OBJECT" };
    expect(changeOf(field, json, "[1]")).toMatchObject({ type: "ARRAY", items: { type: "FLOAT" } });
    expect(changeOf(field, json, "{}")).toMatchObject({ type: "OBJECT", value: {} });
    expect(typeFor(task(), { name: "total", type: "INTEGER", description: "T" })).toMatchObject({
      type: "INTEGER",
    });
  });

  test("adds a missing input, and removes a connection when the source changes", () => {
    const document = asDocument({
      tasks: [{ id: "a", kind: "AI" }, task([{ name: "url", type: "STRING", source: "system_generated" }])],
      connections: [{ from: { task: "a", output: "x" }, to: { task: "call", input: "url" } }],
    });
    const call = document.tasks[1]!;
    const { input } = parameter("tries", call);
    const added = withInput(document, call, { ...input, value: "2" });
    expect(inputsOf(added.tasks[1]!).map(({ name }) => name)).toEqual(["url", "tries"]);
    expect(added.connections).toHaveLength(1);
    const fixed = withInput(document, call, { ...inputsOf(call)[0]!, source: "task_config" });
    expect(fixed.connections).toEqual([]);
  });
});

test("a parameter for a text or a list is a list only as a complete JSON array", () => {
  expect(change("to", "boss@example.com")).toEqual({ type: "STRING", value: "boss@example.com" });
  expect(change("to", '["a@example.com"')).toEqual({ type: "STRING", value: '["a@example.com"' });
  expect(change("to", '["a@example.com"]')).toEqual({
    type: "ARRAY",
    items: { type: "STRING" },
    value: ["a@example.com"],
  });
  const list = { name: "to", type: "ARRAY", items: { type: "STRING" }, source: "task_config", value: ["a"] };
  const { field, input } = parameter("to", task([list]));
  expect(field.type).toBe("TEXT_OR_LIST");
  expect(rawOfInput(field, input)).toBe('["a"]');
});
