import { expect, test } from "vitest";
import { asDocument } from "../../graph/document";
import { failedAgain, reusedTasks, rerunInputs, suggestedStart, typedInputs, versionChoices } from "./rerun";

const failed = (task: string, detail: string) =>
  ({ status: "FAILED", error: { task, error: "Code error", detail } }) as Parameters<typeof failedAgain>[0];

test("a rerun failed again if its task is that of the earlier failure", () => {
  const earlier = failed("look", "No order X4707");
  expect(failedAgain(failed("look", "No order X4707"), earlier)).toBe("same");
  expect(failedAgain(failed("look", "Too slow"), earlier)).toBe("other");
  expect(failedAgain(failed("say", "No order X4707"), earlier)).toBeUndefined();
  expect(failedAgain({ status: "COMPLETED", error: null }, earlier)).toBeUndefined();
  expect(failedAgain(earlier, { status: "CANCELLED", error: null })).toBeUndefined();
  expect(failedAgain(earlier, undefined)).toBeUndefined();
});

test("a rerun offers each version once", () => {
  const labels = (ofRun: number, published: number | null | undefined) =>
    versionChoices(ofRun, published).map(({ label }) => label);
  expect(labels(1, 1)).toEqual(["Version 1 (published)"]);
  expect(labels(1, 3)).toEqual(["Version 1", "Version 3 (published)"]);
  expect(labels(0, 3)).toEqual(["Same draft", "Version 3 (published)"]);
  expect(labels(0, null)).toEqual(["Same draft"]);
  expect(labels(2, undefined)).toEqual(["Version 2"]);
});

const input = (name: string, source: string) => ({ name, type: "STRING", source, required: true });

/** "say" is written before the task that it follows. */
const chain = asDocument({
  tasks: [
    { id: "say", kind: "AI", input_parameters: [input("tone", "human_input")] },
    {
      id: "look",
      kind: "App",
      input_parameters: [input("url", "human_input"), input("human_msg", "system_generated")],
    },
    { id: "log", kind: "Coder" },
  ],
  connections: [{ from: { task: "look", output: "page" }, to: { task: "say", input: "page" } }],
  dependencies: [{ from: "say", to: "log" }],
});
const tasks = (...statuses: ("COMPLETED" | "FAILED" | "PENDING" | "SKIPPED")[]) =>
  ["say", "look", "log"].map((id, index) => ({ id, status: statuses[index]! }));

test("a rerun reuses the results before its first task", () => {
  const done = tasks("COMPLETED", "COMPLETED", "COMPLETED");
  const reused = (from: string | null, of = done) => [...reusedTasks(chain, of, from)];
  expect(reused("log")).toEqual(["look", "say"]);
  expect(reused("say")).toEqual(["look"]);
  expect(reused("look")).toEqual([]);
  expect(reused(null)).toEqual([]);
  expect(reused("log", tasks("FAILED", "COMPLETED", "PENDING"))).toEqual(["look"]);
  const ended = [{ id: "look", status: "SKIPPED" as const, skip_reason: "INSTANCE_ENDED" as const }];
  expect(reused("say", ended)).toEqual([]);
});

test("a rerun has no inputs that only reused tasks use", () => {
  const started = { human_msg: null, values: { tone: "kind" }, used_values: { tone: "kind" } };
  const of = (...reused: string[]) => rerunInputs(chain, started, new Set(reused));
  expect(of()).toMatchObject({ unused: [], usesMessage: true, usesFiles: true });
  expect(of("look")).toMatchObject({ unused: ["url"], usesMessage: false, usesFiles: false });
  expect(of("look").fields.map(({ name }) => name)).toEqual(["tone"]);
  expect(of("look", "say")).toMatchObject({ fields: [], unused: ["tone", "url"] });
  // The message fills an input that has no value.
  expect(rerunInputs(chain, { ...started, values: {} }, new Set(["look"])).usesMessage).toBe(true);
});

test("a rerun starts from the selected task, or from the failed one, if it reuses results", () => {
  const broken = {
    tasks: tasks("FAILED", "COMPLETED", "PENDING"),
    error: { task: "say", error: "Code error", detail: "" },
  };
  expect(suggestedStart(chain, broken, "say")).toBe("say");
  expect(suggestedStart(chain, broken, "look")).toBeNull();
  expect(suggestedStart(chain, broken, "log")).toBe("say");
  expect(suggestedStart(chain, broken, undefined)).toBe("say");
  const done = { tasks: tasks("COMPLETED", "COMPLETED", "COMPLETED"), error: null };
  expect(suggestedStart(chain, done, "log")).toBe("log");
  expect(suggestedStart(chain, done, undefined)).toBeNull();
});

test("a message may be emptied only if the inputs that it reaches are optional", () => {
  const needed = (source: string, name: string, required: boolean, message: string | null = "Look") =>
    rerunInputs(
      asDocument({ tasks: [{ id: "say", input_parameters: [{ name, type: "STRING", source, required }] }] }),
      { human_msg: message, values: {}, used_values: { topic: message } },
      new Set(),
    ).needsMessage;
  expect(needed("system_generated", "human_msg", true)).toBe(true);
  expect(needed("system_generated", "human_msg", false)).toBe(false);
  expect(needed("human_input", "topic", true)).toBe(true);
  expect(needed("human_input", "topic", false)).toBe(false);
  // No input reads it.
  expect(needed("system_generated", "current_time", false)).toBe(true);
  expect(needed("system_generated", "human_msg", true, null)).toBe(false);
});

test("a rerun removes an emptied input, and refuses that of a required one", () => {
  const field = (name: string, required: boolean) => ({ name, type: "STRING", description: "", required });
  const fields = [field("tone", false), field("url", true), field("never", true), field("kept", true)];
  const started = { used_values: { tone: "kind", url: "a", kept: "b" } };
  expect(typedInputs(fields, { tone: "", url: "", never: "" }, started)).toEqual({
    values: { tone: null },
    errors: { url: "Enter a value." },
  });
  expect(typedInputs(fields, { tone: "rude" }, started)).toEqual({ values: { tone: "rude" }, errors: {} });
});
