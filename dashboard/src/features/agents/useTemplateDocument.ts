import { api, unwrap, type Schemas } from "../../api/client";
import { useIsAdmin } from "../../api/organization";
import { useCodeArtifacts, useDataLakes, useTools } from "../../api/queries";
import { queryClient } from "../../queryClient";
import { codeParametersOf, documentFromTemplate } from "./templates";

type Tool = Schemas["Tool"];

/**
 * Creates the code and the sub-workflows of a template, unless the organization has them, and returns the document of a
 * new agent.
 */
export function useTemplateDocument(orgId: string) {
  const isAdmin = useIsAdmin();
  const tools = useTools(orgId);
  const dataLakes = useDataLakes(orgId);
  const artifacts = useCodeArtifacts(orgId);
  return async (templateId: string, name: string) => {
    const template = await unwrap(
      api.GET("/dashboard/api/organizations/{orgId}/workflow-templates/{templateId}", {
        params: { path: { orgId, templateId } },
      }),
    );
    const code = new Map<number, number>();
    for (const { id, name: codeName, language, source } of template.code) {
      const existing = artifacts.data?.find((each) => each.name === codeName && each.language === language);
      if (existing) {
        code.set(id, existing.id);
      } else if (isAdmin) {
        // Few, and in order, so that a failure leaves nothing behind it.
        // oxlint-disable-next-line no-await-in-loop
        const created = await unwrap(
          api.POST("/dashboard/api/organizations/{orgId}/code-artifacts", {
            params: { path: { orgId } },
            body: { name: codeName, language, source, ...codeParametersOf(template.document, id) },
          }),
        );
        code.set(id, created.id);
      }
    }
    await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "code-artifacts"] });
    const subWorkflows = new Map<string, Tool>();
    for (const { tool_name, name: title, document } of template.sub_workflows) {
      // oxlint-disable-next-line no-await-in-loop -- few, and in order
      const tool = (await agentTool(orgId, title)) ?? (await publishedTool(orgId, title, document));
      if (tool) {
        subWorkflows.set(tool_name, tool);
      }
    }
    return documentFromTemplate(template.document, name, {
      tools: tools.data ?? [],
      dataLakes: dataLakes.data ?? [],
      code,
      subWorkflows,
    });
  };
}

/** The tool of a published agent by the agent's name. */
async function agentTool(orgId: string, title: string): Promise<Tool | undefined> {
  const found = await unwrap(
    api.GET("/dashboard/api/organizations/{orgId}/tools", {
      params: { path: { orgId }, query: { kind: "workflow", search: title, available: true, limit: 100 } },
    }),
  );
  return found.items.find((each) => each.title === title);
}

/** Creates and publishes an agent, and returns its tool. */
async function publishedTool(
  orgId: string,
  title: string,
  document: Record<string, unknown>,
): Promise<Tool | undefined> {
  const { id } = await unwrap(
    api.POST("/dashboard/api/organizations/{orgId}/workflows", {
      params: { path: { orgId } },
      body: document,
    }),
  );
  await unwrap(
    api.POST("/dashboard/api/organizations/{orgId}/workflows/{workflowId}/publish", {
      params: { path: { orgId, workflowId: id } },
      body: { note: null },
    }),
  );
  await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "tools"] });
  return agentTool(orgId, title);
}
