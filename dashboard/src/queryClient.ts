import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import type { Schemas } from "./api/client";
import { ApiError } from "./api/problem";

/** A session that has ended shows itself as a 401 anywhere; then whoever asks `me` again learns it. */
function noticeSignOut(error: Error) {
  if (error instanceof ApiError && error.status === 401) {
    queryClient.setQueryData(["me"], (me: unknown) => (me ? null : me));
  }
}

/**
 * Somebody has signed in. What was kept for whoever was signed in here before, until their session ended, is not theirs
 * to see.
 */
export function enter(person: Schemas["Me"]) {
  queryClient.removeQueries({ type: "inactive" });
  queryClient.setQueryData(["me"], person);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignOut }),
  mutationCache: new MutationCache({ onError: noticeSignOut }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 2 && error instanceof ApiError && error.transient,
    },
  },
});
