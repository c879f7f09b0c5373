import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api/problem";

/** A session that has ended shows itself as a 401 anywhere; then whoever asks `me` again learns it. */
function noticeSignOut(error: Error) {
  if (error instanceof ApiError && error.status === 401) {
    queryClient.setQueryData(["me"], (me: unknown) => (me ? null : me));
  }
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
