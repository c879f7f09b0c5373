import { useEffect, useRef } from "react";
import { useFoundMessageId, type Schemas, type usePagedQuery } from "../../api";

/** Older pages that are loaded to reach a found message; the search examines the newest 200 messages. */
const MAX_PAGES = 5;

/** The message of a conversation that a search for a text found: undefined while it is looked for, null for none. */
export function useFoundMessage(id: string, q: string | undefined) {
  const { data, isError } = useFoundMessageId(id, q);
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
