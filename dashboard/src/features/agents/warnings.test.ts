import { expect, test } from "vitest";
import { asDocument } from "../../graph/document";
import { codeWarningsOf, warningsOf } from "./warnings";

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

test("outputs that the code of a task no longer declares are warned of", () => {
  const output = (name: string) => ({ name, type: "STRING", description: "" });
  const document = asDocument({
    tasks: [
      {
        id: "score",
        kind: "Coder",
        name: "Score",
        code_artifact_id: 4,
        expected_output: [output("total"), output("label")],
      },
    ],
  });
  const code = (...outputs: string[]) =>
    ({ id: 4, inputs: [], outputs: outputs.map(output) }) as unknown as Parameters<
      typeof codeWarningsOf
    >[1][0];
  expect(codeWarningsOf(document, [code("total", "title")])).toEqual([
    expect.objectContaining({
      path: "/tasks/0/expected_output/1",
      detail: "The code of “Score” does not return the output “label”. Update the outputs from the code.",
    }),
  ]);
  expect(codeWarningsOf(document, [code()])).toEqual([]);
  expect(codeWarningsOf(document, [])).toEqual([]);
});
