import type { Schemas } from "./client";
import { itemChange, refetch, useAll, useOrganizationQuery, usePages, useRead } from "./hooks";
import { get, getTagged, patch, post, remove, type RequestQuery } from "./requests";

const PROVIDER = "tool-providers/{providerId}";
const TOOLS = ["tool-providers", "tools"];

export const refreshTools = (orgId: string) => refetch(orgId, ...TOOLS);

/** The tools that can be called now. */
export const useTools = ({ enabled = true } = {}) =>
  useAll("tools", {}, ["tools", "all"], { query: { available: true }, staleTime: 30_000, enabled });

export const useToolPages = (query: RequestQuery<"tools">) =>
  usePages("tools", {}, ["tools", "pages", query], { query, keepPrevious: true });

/** The tool of a published agent by the agent's name. */
export async function findAgentTool(orgId: string, title: string): Promise<Schemas["Tool"] | undefined> {
  const query = { kind: "workflow", search: title, available: true, limit: 100 } as const;
  return (await get("tools", { orgId }, query)).items.find((each) => each.title === title);
}

export const useTool = (toolId: number) => useRead("tools/{toolId}", { toolId }, ["tools", "one", toolId]);

export const useTryTool = itemChange((orgId, toolId: number, args: Record<string, unknown>) =>
  post("tools/{toolId}/try", { orgId, toolId }, { arguments: args }),
);

/** The HTTP request that a call would send. */
export const toolRequest = (orgId: string, toolId: number, args: Record<string, unknown>) =>
  post("tools/{toolId}/request", { orgId, toolId }, { arguments: args });

export const useToolProviders = () => usePages("tool-providers", {}, ["tool-providers"]);

export const useToolProvider = (providerId: number | undefined) =>
  useRead(PROVIDER, { providerId: providerId! }, ["tool-providers", providerId, "one"], {
    enabled: providerId !== undefined,
    retry: false,
  }).data;

export const readProvider = (orgId: string, providerId: number) => getTagged(PROVIDER, { orgId, providerId });

export const useEditedProvider = (providerId: number) =>
  useOrganizationQuery(["tool-providers", providerId, "edited"], (orgId) => readProvider(orgId, providerId), {
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

export const createProvider = (orgId: string, body: Schemas["NewToolProvider"], allow_unreachable: boolean) =>
  post("tool-providers", { orgId }, body, { query: { allow_unreachable } });

export const changeProvider = (
  orgId: string,
  providerId: number,
  body: Schemas["NewToolProvider"],
  extras: { etag: string; query: { allow_unreachable: boolean } },
) => patch(PROVIDER, { orgId, providerId }, body, extras);

/** A change without a tag, which overwrites no settings of others. */
export const useEnableProvider = itemChange(
  (orgId, providerId: number, enabled: boolean) => patch(PROVIDER, { orgId, providerId }, { enabled }),
  ...TOOLS,
);

export const useRefreshProvider = itemChange(
  (orgId, providerId: number) => post(`${PROVIDER}/refresh`, { orgId, providerId }),
  ...TOOLS,
);

export const useRemoveProvider = itemChange(
  (orgId, providerId: number) => remove(PROVIDER, { orgId, providerId }),
  ...TOOLS,
);

export const storedOperations = (orgId: string, providerId: number) =>
  get(`${PROVIDER}/operations`, { orgId, providerId });

export const describedOperations = (orgId: string, body: Schemas["OpenApiDescription"]) =>
  post("tool-providers/operations", { orgId }, body);
