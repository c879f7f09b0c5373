import { expect, test } from "vitest";
import type { Schemas } from "../../api";
import { savedText } from "./savedText";

type Usage = Schemas["WorkflowUsage"];

const agent = (in_published: boolean): Usage["workflows"][number] => ({
  id: "1",
  name: "Report",
  in_draft: true,
  in_published,
});
const usage = (total: number, workflows: Usage["workflows"]): Usage => ({ id: "7", total, workflows });

test.each<[Usage | undefined, string]>([
  [undefined, "Version 2 saved."],
  [usage(0, []), "Version 2 saved. No agent uses this code yet."],
  [usage(1, [agent(false)]), "Version 2 saved. “Report” uses it once you publish the agent."],
  [usage(1, [agent(true)]), "Version 2 saved. “Report” uses it once you publish the agent again."],
  [
    usage(3, [agent(true), agent(false)]),
    "Version 2 saved. The 3 agents with this code use it once you publish them again.",
  ],
])("%j: %s", (used, text) => {
  expect(savedText(2, used)).toBe(text);
});
