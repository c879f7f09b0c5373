import { expect, test } from "vitest";
import { readable, referencesIn, typedAt, withRenamed, written } from "./expressions";

test("references are found outside of literals and of other members", () => {
  const text = "tasks.a.ok && inputs.`net amount` > 1.5 || 'tasks.b.ok' != r\"inputs.x\" && f(x.inputs.y)";
  expect(referencesIn(text).map(({ names }) => names)).toEqual([
    ["tasks", "a", "ok"],
    ["inputs", "net amount"],
  ]);
});

test("names that are not identifiers are in backticks", () => {
  expect(written(["tasks", "check-in", "in"])).toBe("tasks.`check-in`.`in`");
});

test("references are renamed, literals stay", () => {
  const rename = ([root = "", id = "", ...rest]: string[]) => (id === "a" ? [root, "b-2", ...rest] : null);
  expect(withRenamed("!tasks.a.ok && tasks.c.name == 'tasks.a.ok'", rename)).toBe(
    "!tasks.`b-2`.ok && tasks.c.name == 'tasks.a.ok'",
  );
});

test.each([
  ["!tasks.decide.approved", "not approved"],
  ["tasks.pay.amount >= 100.0 && inputs.`net amount` != null", "amount ≥ 100.0 and net amount ≠ null"],
  ["tasks.a.name == 'a && !b' || trigger.human_msg == ''", "name = 'a && !b' or human_msg = ''"],
])("%s is shown as %s", (expression, text) => {
  expect(readable(expression)).toBe(text);
});

test("the reference at the caret is completed, but not in literals", () => {
  expect(typedAt("!tasks.de", 9)).toEqual({ text: "tasks.de", start: 1, end: 9 });
  expect(typedAt("tasks.decide.approved == true", 8)).toEqual({ text: "tasks.de", start: 0, end: 21 });
  expect(typedAt("inputs.`net am", 14)).toEqual({ text: "inputs.`net am", start: 0, end: 14 });
  expect(typedAt("", 0)).toEqual({ text: "", start: 0, end: 0 });
  expect(typedAt("inputs.a == 'tas", 16)).toBeNull();
});
