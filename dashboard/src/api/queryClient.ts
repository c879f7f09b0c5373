import { QueryClient } from "@tanstack/react-query";
import type { Schemas } from "./client";
import { watchConnection } from "./connection";
import { ApiError } from "./problem";
import { setSessionUser } from "./session";

/** Stores the signed-in user and drops cached data of the previous one. */
export function setSignedInUser(user: Schemas["Me"]) {
  setSessionUser(user);
  queryClient.removeQueries({ type: "inactive" });
  queryClient.setQueryData(["me"], user);
}

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    // Offline, requests fail and say so instead of waiting without a word.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      refetchOnReconnect: true,
      staleTime: 5_000,
      retry: (count, error) => count < 2 && error instanceof ApiError && error.transient,
    },
  },
});

watchConnection(queryClient);
