import { Button, Center, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Link } from "react-router";
import { useFocusAfterNavigation } from "./useFocusAfterNavigation";

/** Shown for unknown URLs and for items that are deleted or inaccessible. */
export function NotFound() {
  useDocumentTitle("Page not found · Parley");
  const heading = useFocusAfterNavigation<HTMLHeadingElement>();
  return (
    <Center py={80}>
      <Stack align="center" gap="sm">
        <Title order={1} size="h2" ref={heading} tabIndex={-1}>
          Page not found
        </Title>
        <Text c="dimmed" ta="center">
          It may have been deleted, or you may not have access to it.
        </Text>
        <Button component={Link} to="/">
          Go to Overview
        </Button>
      </Stack>
    </Center>
  );
}
