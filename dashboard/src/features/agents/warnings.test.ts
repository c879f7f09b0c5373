import { expect, test } from "vitest";
import { asDocument } from "../../graph/document";
import { warningsOf } from "./warnings";

const warningsFor = (instructions: string) =>
  warningsOf(asDocument({ tasks: [{ id: "read", kind: "AI", name: "Read", instructions }] }));

test("placeholders in instructions are warned of, with the way to pass the value", () => {
  expect(warningsFor("Check {{tasks.ai.result}} and approve.")).toEqual([
    expect.objectContaining({
      path: "/tasks/0/instructions",
      detail:
        "The instructions of “Read” keep {{tasks.ai.result}} as text. Values are not inserted into instructions: connect an input instead.",
    }),
  ]);
  expect(warningsFor("Read {{ trigger.human_msg }}")[0]?.detail).toContain("add an input named human_msg");
});

test("other braces in instructions are no placeholders", () => {
  expect(warningsFor('Return {"a": {"b": 1}} or {{}} or {{#each items}}.')).toEqual([]);
});
