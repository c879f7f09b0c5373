import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import type { Schemas } from "./api/client";
import { ApiError } from "./api/problem";

/** Any 401 means that the session has ended; clearing `me` leads to the sign-in page. */
function onSessionEnd(error: Error) {
  if (error instanceof ApiError && error.status === 401) {
    queryClient.setQueryData(["me"], (me: unknown) => (me ? null : me));
  }
}

/** Stores the signed-in user and drops cached data of the previous one. */
export function setSignedInUser(user: Schemas["Me"]) {
  queryClient.removeQueries({ type: "inactive" });
  queryClient.setQueryData(["me"], user);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: onSessionEnd }),
  mutationCache: new MutationCache({ onError: onSessionEnd }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 2 && error instanceof ApiError && error.transient,
    },
  },
});
