import { useQuery } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "./client";
import { ApiError } from "./problem";
import { fetchAllPages } from "./pagination";

/** The signed-in user; null without a session. */
export function useMe() {
  return useQuery({
    queryKey: ["me"],
    queryFn: async (): Promise<Schemas["Me"] | null> => {
      try {
        return await unwrap(api.GET("/dashboard/api/me"));
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

/** The organization's members, for pickers and for names. */
export function useMembers(orgId: string) {
  return useQuery({
    queryKey: ["organization", orgId, "members", "all"],
    queryFn: () =>
      fetchAllPages((after) =>
        unwrap(
          api.GET("/dashboard/api/organizations/{orgId}/members", {
            params: { path: { orgId }, query: { limit: 100, after } },
          }),
        ),
      ),
    staleTime: 60_000,
  });
}

export function useTeams(orgId: string) {
  return useQuery({
    queryKey: ["organization", orgId, "teams", "all"],
    queryFn: () =>
      fetchAllPages((after) =>
        unwrap(
          api.GET("/dashboard/api/organizations/{orgId}/teams", {
            params: { path: { orgId }, query: { limit: 100, after } },
          }),
        ),
      ),
    staleTime: 60_000,
  });
}

export function useWorkflows(orgId: string) {
  return useQuery({
    queryKey: ["organization", orgId, "workflows", "all"],
    queryFn: () =>
      fetchAllPages((after) =>
        unwrap(
          api.GET("/dashboard/api/organizations/{orgId}/workflows", {
            params: { path: { orgId }, query: { limit: 100, after } },
          }),
        ),
      ),
    staleTime: 30_000,
  });
}

export function useCodeArtifacts(orgId: string) {
  return useQuery({
    queryKey: ["organization", orgId, "code-artifacts", "all"],
    queryFn: () =>
      fetchAllPages((after) =>
        unwrap(
          api.GET("/dashboard/api/organizations/{orgId}/code-artifacts", {
            params: { path: { orgId }, query: { limit: 100, after } },
          }),
        ),
      ),
    staleTime: 30_000,
  });
}

export function useTools(orgId: string) {
  return useQuery({
    queryKey: ["organization", orgId, "tools", "all"],
    queryFn: () =>
      fetchAllPages((after) =>
        unwrap(
          api.GET("/dashboard/api/organizations/{orgId}/tools", {
            params: { path: { orgId }, query: { available: true, limit: 100, after } },
          }),
        ),
      ),
    staleTime: 30_000,
  });
}

export function useDataLakes(orgId: string) {
  return useQuery({
    queryKey: ["organization", orgId, "data-lakes", "all"],
    queryFn: () =>
      fetchAllPages((after) =>
        unwrap(
          api.GET("/dashboard/api/organizations/{orgId}/data-lakes", {
            params: { path: { orgId }, query: { limit: 100, after } },
          }),
        ),
      ),
    staleTime: 30_000,
  });
}
