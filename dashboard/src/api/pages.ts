import { useInfiniteQuery, type QueryKey } from "@tanstack/react-query";

export interface Page<T> {
  items: T[];
  next: string | null;
}

interface Options {
  enabled?: boolean;
  refetchInterval?: number;
}

/** A list that the service hands out in pages: the items so far, and how to get more. */
export function usePages<T>(
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

/** What `usePages` answers for items of that kind. */
export type Pages<T> = ReturnType<typeof usePages<T>>;

/** All pages of a list that is known to be short, such as teams; at most ten pages of a hundred. */
export async function everyPage<T>(page: (after: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  let after: string | undefined;
  for (let count = 0; count < 10; count++) {
    // Each page tells where the next begins.
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
