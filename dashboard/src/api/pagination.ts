import { useInfiniteQuery, type QueryKey } from "@tanstack/react-query";

export interface Page<T> {
  items: T[];
  next: string | null;
}

interface Options {
  enabled?: boolean;
  refetchInterval?: number;
}

/** A paginated list: the items loaded so far, and how to load more. */
export function usePagedQuery<T>(
  key: QueryKey,
  page: (after: string | undefined) => Promise<Page<T>>,
  options: Options = {},
) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    ...options,
  });
  return { ...query, items: query.data?.pages.flatMap((each) => each.items) ?? [] };
}

export type PagedQuery<T> = ReturnType<typeof usePagedQuery<T>>;

/** Loads all pages of a short list, such as teams; at most ten. */
export async function fetchAllPages<T>(page: (after: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  let after: string | undefined;
  for (let count = 0; count < 10; count++) {
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
