import { Button, Center, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Link } from "react-router";

/** For an address that leads nowhere, and for things that are not there (any more). */
export function NotFound() {
  useDocumentTitle("Not found · Parley");
  return (
    <Center py={80}>
      <Stack align="center" gap="sm">
        <Title order={1} size="h2">
          There is no such page
        </Title>
        <Text c="dimmed" ta="center">
          It may have been removed, or it belongs to an organization that you are not a member of.
        </Text>
        <Button component={Link} to="/">
          Go to the start
        </Button>
      </Stack>
    </Center>
  );
}
