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

/** All items of a short list of the organization. */
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
  });
}

/** The organization's members, for pickers and for names. */
export const useMembers = (orgId: string) =>
  useEntireList(orgId, "members", 60_000, (request) =>
    api.GET("/dashboard/api/organizations/{orgId}/members", request),
  );

export const useTeams = (orgId: string) =>
  useEntireList(orgId, "teams", 60_000, (request) =>
    api.GET("/dashboard/api/organizations/{orgId}/teams", request),
  );

export const useWorkflows = (orgId: string) =>
  useEntireList(orgId, "workflows", 30_000, (request) =>
    api.GET("/dashboard/api/organizations/{orgId}/workflows", request),
  );

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
