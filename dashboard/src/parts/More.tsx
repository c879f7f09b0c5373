import { Button, Center } from "@mantine/core";

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** The button below a list that goes on. */
export function More({ pages }: { pages: Pages }) {
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
