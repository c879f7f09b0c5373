import {
  CODE,
  createCode,
  createPublished,
  findAgentTool,
  readTemplate,
  refetch,
  useCodeArtifacts,
  useDataLakes,
  useIsAdmin,
  useOrganizationId,
  useTools,
  type Schemas,
} from "../../api";
import { codeParametersOf, documentFromTemplate } from "./templates";

type Tool = Schemas["Tool"];

/**
 * Creates the code and the sub-workflows of a template, unless the organization has them, and returns the document of a
 * new agent.
 */
export function useTemplateDocument() {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const tools = useTools();
  const dataLakes = useDataLakes();
  const artifacts = useCodeArtifacts();
  return async (templateId: string, name: string) => {
    const template = await readTemplate(orgId, templateId);
    const code = new Map<number, number>();
    for (const { id, name: codeName, language, source } of template.code) {
      const existing = artifacts.data?.find((each) => each.name === codeName && each.language === language);
      if (existing) {
        code.set(id, existing.id);
      } else if (isAdmin) {
        // Few, and in order, so that a failure leaves nothing behind it.
        // oxlint-disable-next-line no-await-in-loop
        const created = await createCode(orgId, {
          name: codeName,
          language,
          source,
          ...codeParametersOf(template.document, id),
        });
        code.set(id, created.id);
      }
    }
    await refetch(orgId, CODE);
    const subWorkflows = new Map<string, Tool>();
    for (const { tool_name, name: title, document } of template.sub_workflows) {
      // oxlint-disable-next-line no-await-in-loop -- few, and in order
      const tool = (await findAgentTool(orgId, title)) ?? (await publishedTool(orgId, title, document));
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

/** Creates and publishes an agent, and returns its tool. */
async function publishedTool(
  orgId: string,
  title: string,
  document: Record<string, unknown>,
): Promise<Tool | undefined> {
  await createPublished(orgId, document);
  await refetch(orgId, "tools");
  return findAgentTool(orgId, title);
}
