import { useQuery } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "./client";
import { ApiError } from "./problem";
import { setSessionUser } from "./session";
import { fetchAllPages, type Page } from "./pagination";

/** The signed-in user; null without a session. */
export function useMe() {
  return useQuery({
    queryKey: ["me"],
    queryFn: async (): Promise<Schemas["Me"] | null> => {
      try {
        const me = await unwrap(api.GET("/dashboard/api/me"));
        setSessionUser(me);
        return me;
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) {
          return null;
        }
        throw error;
      }
    },
    staleTime: 60_000,
  });
}

type ListRequest = { params: { path: { orgId: string }; query: { limit: number; after?: string } } };

/** All items of a list of the organization; nothing is loaded for an empty ID. */
function useEntireList<T>(
  orgId: string,
  list: string,
  staleTime: number,
  get: (request: ListRequest) => Promise<{ data?: Page<T>; error?: unknown; response: Response }>,
) {
  return useQuery({
    queryKey: ["organization", orgId, list, "all"],
    queryFn: () =>
      fetchAllPages((after) => unwrap(get({ params: { path: { orgId }, query: { limit: 100, after } } }))),
    staleTime,
    enabled: orgId !== "",
  });
}

/** The organization's members, for pickers and for names. */
export const useMembers = (orgId: string) =>
  useEntireList(orgId, "members", 60_000, (request) =>
    api.GET("/dashboard/api/organizations/{orgId}/members", request),
  );

const namesById = (all: Schemas["ApiKey"][]) => new Map(all.map((each) => [each.id, each.name]));

/** The names of all API keys by ID, revoked ones included. Only owners and admins may list keys. */
export const useApiKeyNames = (orgId: string, { enabled }: { enabled: boolean }) =>
  useQuery({
    queryKey: ["organization", orgId, "api-keys", "all"],
    queryFn: () =>
      fetchAllPages((after) =>
        unwrap(
          api.GET("/dashboard/api/organizations/{orgId}/api-keys", {
            params: { path: { orgId }, query: { limit: 100, after } },
          }),
        ),
      ),
    staleTime: 60_000,
    enabled: enabled && orgId !== "",
    select: namesById,
  });

export const useTeams = (orgId: string) =>
  useEntireList(orgId, "teams", 60_000, (request) =>
    api.GET("/dashboard/api/organizations/{orgId}/teams", request),
  );

type WorkflowName = Schemas["WorkflowName"];

const notArchived = (all: WorkflowName[]) => all.filter((each) => !each.archived);
const byId = (all: WorkflowName[]) => new Map(all.map((each) => [each.id, each.name]));

/** The agents' names come in one response, however many there are. Pass a constant function, whose result is cached. */
function useNamedWorkflows<T>(orgId: string, select: (all: WorkflowName[]) => T) {
  return useQuery({
    queryKey: ["organization", orgId, "workflows", "names"],
    queryFn: async () => {
      const { items } = await unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/workflow-names", { params: { path: { orgId } } }),
      );
      return items;
    },
    staleTime: 30_000,
    enabled: orgId !== "",
    select,
  });
}

/** The agents, newest first, for pickers. */
export const useWorkflows = (orgId: string) => useNamedWorkflows(orgId, notArchived);

/** The names of all agents by ID. Deleted agents are included, because their runs remain. */
export const useWorkflowNames = (orgId: string) => useNamedWorkflows(orgId, byId);

export const useOrganization = (orgId: string, { enabled = true } = {}) =>
  useQuery({
    queryKey: ["organization", orgId],
    queryFn: () => unwrap(api.GET("/dashboard/api/organizations/{orgId}", { params: { path: { orgId } } })),
    staleTime: 60_000,
    enabled,
  });

export const useCodeArtifacts = (orgId: string) =>
  useEntireList(orgId, "code-artifacts", 30_000, (request) =>
    api.GET("/dashboard/api/organizations/{orgId}/code-artifacts", request),
  );

export const useTools = (orgId: string) =>
  useEntireList(orgId, "tools", 30_000, ({ params }) =>
    api.GET("/dashboard/api/organizations/{orgId}/tools", {
      params: { ...params, query: { ...params.query, available: true } },
    }),
  );

export const useDataLakes = (orgId: string) =>
  useEntireList(orgId, "data-lakes", 30_000, (request) =>
    api.GET("/dashboard/api/organizations/{orgId}/data-lakes", request),
  );
