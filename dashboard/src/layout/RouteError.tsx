import { Button, Center, Code, Group, Stack, Text, Title } from "@mantine/core";
import { useRouteError } from "react-router";

/** Shown when a page crashes, or when its script no longer exists after a deployment. */
export function RouteError() {
  const error = useRouteError();
  return (
    <Center py={80} role="alert">
      <Stack align="center" gap="sm" maw={520}>
        <Title order={1} size="h2">
          This page couldn’t be displayed
        </Title>
        <Text c="dimmed" ta="center">
          Try reloading. This can happen right after an update.
        </Text>
        <Code block>{error instanceof Error ? error.message : String(error)}</Code>
        <Group>
          <Button onClick={() => location.reload()}>Reload</Button>
          <Button variant="default" component="a" href="/">
            Go to Overview
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
