import { Button, Center, Code, Group, Stack, Text, Title } from "@mantine/core";
import { useEffect } from "react";
import { useLocation, useNavigate, useRouteError } from "react-router";

/** Errors of `import()` in the browsers. */
const SCRIPT = /dynamically imported module|importing a module script|error loading/i;

/** Shown when a page crashes, or when its script cannot be loaded: offline, or after an update. */
export function RouteError() {
  const error = useRouteError();
  const message = error instanceof Error ? error.message : String(error);
  const isScript = SCRIPT.test(message);
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const retry = () => void navigate(pathname + search + hash, { replace: true });
    if (isScript) {
      addEventListener("online", retry);
    }
    return () => removeEventListener("online", retry);
  }, [isScript, navigate, pathname, search, hash]);
  return (
    <Center py={80} role="alert">
      <Stack align="center" gap="sm" maw={520}>
        <Title order={1} size="h2">
          {isScript ? "This page couldn’t be loaded" : "This page couldn’t be displayed"}
        </Title>
        <Text c="dimmed" ta="center">
          {isScript
            ? "You may be offline, or Parley has just been updated."
            : "Try again. If that doesn’t help, reload the page."}
        </Text>
        {!isScript && <Code block>{message}</Code>}
        <Group>
          <Button onClick={() => void navigate(pathname + search + hash, { replace: true })}>
            Try again
          </Button>
          <Button variant="default" onClick={() => location.reload()}>
            Reload
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
