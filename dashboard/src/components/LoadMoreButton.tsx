import { Button, Center } from "@mantine/core";

interface NextPage {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** Loads the next page of a list. */
export function LoadMoreButton({ pages }: { pages: NextPage }) {
  if (!pages.hasNextPage) {
    return null;
  }
  return (
    <Center>
      <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
        Show more
      </Button>
    </Center>
  );
}
