import { expect, test } from "vitest";
import { starterCode } from "./starter";

const SHAPE = {
  inputs: [{ name: "body" }, { name: "other" }],
  outputs: [
    { name: "result", type: "STRING" },
    { name: "is-new", type: "BOOLEAN" },
  ],
};

test("new code reads the first input and returns every output", () => {
  expect(starterCode("javascript", SHAPE)).toContain(
    'return { result: String(inputs.body), "is-new": true };',
  );
  expect(starterCode("python", SHAPE)).toContain(
    'return {"result": str(inputs.get("body")), "is-new": True}',
  );
});

test("names that are no identifiers are quoted, and code without inputs returns a text", () => {
  expect(starterCode("javascript", { ...SHAPE, inputs: [{ name: "unit price" }] })).toContain(
    'String(inputs["unit price"])',
  );
  expect(starterCode("javascript", { ...SHAPE, inputs: [] })).toContain('result: "Hello"');
});
