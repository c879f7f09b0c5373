import { Center } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useEffect } from "react";
import { SecondaryButton } from "./variants";

interface NextPage {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** Loads the next page of a list when it is scrolled into view or clicked. */
export function LoadMoreButton({ pages }: { pages: NextPage }) {
  const { ref, entry } = useIntersection({ rootMargin: "300px" });
  const isNear = entry?.isIntersecting ?? false;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  useEffect(() => {
    if (isNear && hasNextPage && !isFetchingNextPage) {
      fetchNextPage();
    }
  }, [isNear, hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (!pages.hasNextPage) {
    return null;
  }
  return (
    <Center>
      <SecondaryButton ref={ref} loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
        Show more
      </SecondaryButton>
    </Center>
  );
}
