import { useCallback } from "react";
import { useCodeArtifacts, useTools } from "../../api";
import { counted } from "../../components/counted";
import { subWorkflowOf } from "../../graph/controlFlow";
import type { Task } from "../../graph/document";

/** Describes what a task uses, such as "App · HTTP request". */
export function useSubtitles(): (task: Task) => string {
  const { data: tools } = useTools();
  const { data: artifacts } = useCodeArtifacts();
  return useCallback(
    (task) => {
      switch (task.kind) {
        case "App": {
          const tool = tools?.find((each) => each.tool_id === task.tool_id);
          if (subWorkflowOf(task) !== null) {
            return `App · ${tool?.title ?? "agent"}`;
          }
          if (tool?.title) {
            return `App · ${tool.title}`;
          }
          const name = tool?.tool_name ?? task.tool_name;
          const provider = tool?.provider ?? task.provider;
          return name ? `App · ${provider ? `${provider}.` : ""}${name}` : "App · no tool yet";
        }
        case "Coder": {
          const artifact = artifacts?.find((each) => each.id === task.code_artifact_id);
          if (task.code_artifact_id === undefined || task.code_artifact_id === null) {
            return "Coder · no code yet";
          }
          return `Coder · ${artifact?.name ?? (artifacts ? "deleted code" : `code ${task.code_artifact_id}`)}`;
        }
        case "AI": {
          const count = task.tools?.length ?? 0;
          return count === 0 ? "AI" : `AI · ${counted(count, "tool")}`;
        }
        default:
          return task.kind;
      }
    },
    [tools, artifacts],
  );
}
