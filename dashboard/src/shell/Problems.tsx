import { Button, Center, Code, Group, Stack, Text, Title } from "@mantine/core";
import { useRouteError } from "react-router";

/** A fault of these pages, or a part of them that could not be loaded (a new version was installed meanwhile). */
export function Broken() {
  const error = useRouteError();
  return (
    <Center py={80} role="alert">
      <Stack align="center" gap="sm" maw={520}>
        <Title order={1} size="h2">
          This page could not be shown
        </Title>
        <Text c="dimmed" ta="center">
          Loading it again often helps, above all after an update of the service.
        </Text>
        <Code block>{error instanceof Error ? error.message : String(error)}</Code>
        <Group>
          <Button onClick={() => location.reload()}>Load again</Button>
          <Button variant="default" component="a" href="/">
            Go to the start
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
