import { CompletionContext } from "@codemirror/autocomplete";
import { javascript } from "@codemirror/lang-javascript";
import { python } from "@codemirror/lang-python";
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { completeNames, type CodeLanguage } from "./codeCompletion";

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
