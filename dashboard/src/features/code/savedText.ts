import type { Schemas } from "../../api";

/** Says that a version was saved, and which agents use it after they are published again. */
export function savedText(version: number, usage: Schemas["WorkflowUsage"] | undefined): string {
  const saved = `Version ${version} saved.`;
  if (!usage) {
    return saved;
  }
  const [agent] = usage.workflows;
  if (usage.total === 0 || !agent) {
    return `${saved} No agent uses this code yet.`;
  }
  return usage.total === 1
    ? `${saved} “${agent.name}” uses it once you publish the agent${agent.in_published ? " again" : ""}.`
    : `${saved} The ${usage.total} agents with this code use it once you publish them again.`;
}
