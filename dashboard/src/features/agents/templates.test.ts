import { expect, test } from "vitest";
import { codeParametersOf, documentFromTemplate } from "./templates";

const template = {
  name: "Claim",
  assignment_rules: [],
  tasks: [
    { id: "look_up", kind: "App", name: "A", provider: "warehouse", tool_name: "getDelivery", tool_id: 1000 },
    {
      id: "compute",
      kind: "Coder",
      name: "B",
      code_artifact_id: 1,
      input_parameters: [
        { name: "rows", type: "ARRAY", description: "Rows", source: "task_config", data_lake_id: "sales" },
      ],
      expected_output: [{ name: "refund", type: "FLOAT", description: "Refund" }],
    },
  ],
};
const nothing = { tools: [], dataLakes: [], code: new Map<number, number>() };

test("a template refers to what the organization has", () => {
  const { name, tasks } = documentFromTemplate(template, "Mine", {
    tools: [
      { tool_id: 1007, provider: "other", tool_name: "getDelivery" },
      { tool_id: 1009, provider: "warehouse", tool_name: "getDelivery" },
    ],
    dataLakes: [{ id: "sales" }],
    code: new Map([[1, 12]]),
  });
  expect(name).toBe("Mine");
  expect(tasks).toMatchObject([
    { tool_id: 1009, provider: "warehouse" },
    { code_artifact_id: 12, input_parameters: [{ data_lake_id: "sales" }] },
  ]);
});

test("a template refers to nothing that is missing", () => {
  const { name, tasks } = documentFromTemplate(template, "", nothing);
  expect(name).toBe("Claim");
  expect(JSON.stringify(tasks)).not.toMatch(/tool_id|provider|code_artifact_id|data_lake_id/);
});

test("code declares the parameters of its task", () => {
  expect(codeParametersOf(template, 1)).toEqual({
    inputs: [{ name: "rows", type: "ARRAY", description: "Rows", required: false }],
    outputs: [{ name: "refund", type: "FLOAT", description: "Refund" }],
  });
});
