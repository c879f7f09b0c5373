import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import type { usePagedQuery } from "../../api/pagination";

/** Older pages that are loaded to reach a found message; the search examines the newest 200 messages. */
const MAX_PAGES = 5;

/** The message of a conversation that a search for a text found: undefined while it is looked for, null for none. */
export function useFoundMessage(orgId: string, id: string, q: string | undefined) {
  const { data, isError } = useQuery({
    queryKey: ["organization", orgId, "conversation", id, "found", q],
    queryFn: async () => {
      const { items } = await unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/conversation-summaries", {
          params: { path: { orgId }, query: { id, q, limit: 1 } },
        }),
      );
      return items[0]?.match?.id ?? null;
    },
    enabled: q !== undefined,
    staleTime: Infinity,
  });
  return q === undefined || isError ? null : data;
}

type Messages = ReturnType<typeof usePagedQuery<Schemas["Message"]>>;

/** Loads the messages up to the found one, and scrolls to it once. */
export function useScrollToFound(found: string | null | undefined, messages: Messages) {
  const shown = useRef<string>(undefined);
  const { items, hasNextPage, isFetching, fetchNextPage, data } = messages;
  const isLoaded = typeof found === "string" && items.some(({ id }) => id === found);
  const isBeyond =
    typeof found === "string" && !isLoaded && hasNextPage && (data?.pages.length ?? 0) < MAX_PAGES;
  useEffect(() => {
    // A new message interrupts the loading of a page, which then begins again.
    if (isBeyond && !isFetching) {
      void fetchNextPage();
    }
  }, [isBeyond, isFetching, fetchNextPage]);
  useEffect(() => {
    if (isLoaded && shown.current !== found) {
      shown.current = found;
      document.getElementById(`message-${found}`)?.scrollIntoView({ block: "center" });
    }
  }, [isLoaded, found]);
}
