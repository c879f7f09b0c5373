import {
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryKey,
} from "@tanstack/react-query";
import { useEffect } from "react";

export interface Page<T> {
  items: T[];
  next: string | null;
}

export interface PageOptions<T> {
  enabled?: boolean;
  refetchInterval?: number;
  /** Identifies an item. With it, polling refetches the first page only. */
  idOf?: (item: T) => string;
  /** Shows the previous rows until those of new filters have loaded. */
  keepPrevious?: boolean;
}

/** A paginated list: the items loaded so far, and how to load more. */
export function usePagedQuery<T>(
  key: QueryKey,
  page: (after: string | undefined) => Promise<Page<T>>,
  { idOf, refetchInterval, keepPrevious = false, ...options }: PageOptions<T> = {},
) {
  const client = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    refetchInterval: idOf ? undefined : refetchInterval,
    placeholderData: keepPrevious ? keepPreviousData : undefined,
    ...options,
  });
  useQuery({
    queryKey: [...key, "first page"],
    queryFn: async () => {
      const first = await page(undefined);
      const now = client.getQueryData<InfiniteData<Page<T>>>(key);
      const next = now && idOf && withFirstPage(now.pages, first, idOf);
      if (next) {
        client.setQueryData<InfiniteData<Page<T>>>(key, { ...now, pages: next });
      } else {
        await client.invalidateQueries({ queryKey: key, exact: true });
      }
      return null;
    },
    enabled: idOf !== undefined && refetchInterval !== undefined && query.data !== undefined,
    refetchInterval,
    // The list itself has just been loaded.
    initialData: null,
    staleTime: refetchInterval,
    gcTime: 0,
  });
  return { ...query, items: query.data?.pages.flatMap((each) => each.items) ?? [] };
}

export type PagedQuery<T> = ReturnType<typeof usePagedQuery<T>>;

/** Loads the remaining pages one after another, for a search that looks at all items. */
export function useAllPages(pages: PagedQuery<unknown>, enabled: boolean) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  useEffect(() => {
    if (enabled && hasNextPage && !isFetchingNextPage) {
      void fetchNextPage();
    }
  }, [enabled, hasNextPage, isFetchingNextPage, fetchNextPage]);
}

/** Whether each searched word occurs in the text. */
export function hasWords(text: string, search: string | undefined): boolean {
  const found = text.toLowerCase();
  return (search ?? "")
    .toLowerCase()
    .split(/\s+/)
    .every((word) => found.includes(word));
}

/**
 * The pages with a newer first page. Items that new ones have pushed out of it stay in the list. Undefined if the pages
 * do not overlap, because more than a page of items is new.
 */
export function withFirstPage<T>(
  pages: Page<T>[],
  first: Page<T>,
  idOf: (item: T) => string,
): Page<T>[] | undefined {
  const [old, ...others] = pages;
  if (!old || first.next === null) {
    return [first];
  }
  const ids = new Set(first.items.map(idOf));
  const overlap = old.items.findLastIndex((item) => ids.has(idOf(item)));
  if (overlap < 0) {
    return undefined;
  }
  const pushedOut = old.items.slice(overlap + 1);
  return [{ items: [...first.items, ...pushedOut], next: old.next ?? first.next }, ...others];
}

/** More pages than any list for a picker has. */
const MAX_PAGES = 100;

/** Loads all pages of a list that is needed as a whole, such as teams. */
export async function fetchAllPages<T>(page: (after: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  let after: string | undefined;
  for (let count = 0; count < MAX_PAGES; count++) {
    // Each page contains the cursor of the next.
    // oxlint-disable-next-line no-await-in-loop
    const { items: found, next } = await page(after);
    items.push(...found);
    if (next === null) {
      break;
    }
    after = next;
  }
  return items;
}
