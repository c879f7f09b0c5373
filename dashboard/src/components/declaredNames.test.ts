import { CompletionContext } from "@codemirror/autocomplete";
import { javascript } from "@codemirror/lang-javascript";
import { python } from "@codemirror/lang-python";
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { completeNames, undeclaredInputs, type CodeLanguage } from "./declaredNames";

const LANGUAGES = { javascript, python };

/** The code with each completion at "|" applied. */
function completed(language: CodeLanguage, code: string): string[] {
  const position = code.indexOf("|");
  const text = code.replace("|", "");
  const state = EditorState.create({ doc: text, extensions: [LANGUAGES[language]()] });
  const result = completeNames(new CompletionContext(state, position, false), language, {
    inputs: [
      { name: "amount", type: "FLOAT" },
      { name: "net rate", type: "FLOAT" },
    ],
    outputs: [
      { name: "total", type: "FLOAT" },
      { name: "a note", type: "TEXT" },
    ],
  });
  return (result?.options ?? []).map(
    ({ apply }) => text.slice(0, result!.from) + String(apply) + text.slice(position),
  );
}

describe("JavaScript", () => {
  it.each([
    ["inputs.|", ["inputs.amount", 'inputs["net rate"]']],
    ["inputs.am|", ["inputs.amount"]],
    ['inputs["|"]', ['inputs["amount"]', 'inputs["net rate"]']],
    ["function main({ a| }) {}", ["function main({ amount }) {}"]],
    ["const { a| } = inputs;", ["const { amount } = inputs;"]],
    ["f({ t| })", ["f({ total })", 'f({ "a note" })']],
    ['f({ "t|" })', ['f({ "total" })', 'f({ "a note" })']],
    ["f({ total: t| })", []],
    ['f({ total: "t|" })', []],
    ["other.|", []],
    ["t|", []],
  ])("completes %s", (code, expected) => expect(completed("javascript", code)).toEqual(expected));
});

describe("Python", () => {
  it.each([
    ["inputs.|", ['inputs["amount"]', 'inputs["net rate"]']],
    ['inputs.get("n|")', ['inputs.get("amount")', 'inputs.get("net rate")']],
    ["inputs['|']", ["inputs['amount']", "inputs['net rate']"]],
    ['x = {"t|"}', ['x = {"total"}', 'x = {"a note"}']],
    ['x = {"total": 1, "a|"}', ['x = {"total": 1, "total"}', 'x = {"total": 1, "a note"}']],
    ['x = {"total": "t|"}', []],
    ['x = "t|"', []],
  ])("completes %s", (code, expected) => expect(completed("python", code)).toEqual(expected));
});

describe("inputs that are not declared", () => {
  const found = (language: CodeLanguage, code: string, names = ["amount", "net rate"]) => {
    const state = EditorState.create({ doc: code, extensions: [LANGUAGES[language]()] });
    const inputs = names.map((name) => ({ name, type: "STRING" }));
    return undeclaredInputs(state, language, { inputs, outputs: [] }).map(
      ({ from, to, name }) => `${code.slice(from, to)}: ${name}`,
    );
  };

  it("are found in JavaScript", () => {
    expect(found("javascript", 'f(inputs.amount, inputs["net rate"], inputs.toString())')).toEqual([]);
    expect(found("javascript", "f(inputs.amuont + inputs?.rate)")).toEqual([
      "inputs.amuont: amuont",
      "inputs?.rate: rate",
    ]);
    expect(found("javascript", "f(inputs['rate'])")).toEqual(["inputs['rate']: rate"]);
    expect(found("javascript", '// inputs.rate\nf("inputs.rate", other.inputs.rate)')).toEqual([]);
  });

  it("are found in Python", () => {
    expect(found("python", "f(inputs['amount'], inputs.get('net rate'), inputs.items())")).toEqual([]);
    expect(found("python", "f(inputs['rate'], inputs.get('net', 0))")).toEqual([
      "inputs['rate']: rate",
      "inputs.get('net': net",
    ]);
    expect(found("python", "# inputs['rate']\n")).toEqual([]);
  });

  it("are not looked for without declared inputs", () => {
    expect(found("javascript", "f(inputs.rate)", [])).toEqual([]);
  });
});
