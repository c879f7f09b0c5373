import { Button, Center, Group, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Link, useLocation } from "react-router";
import { missingThing } from "./missingThing";
import { useFocusAfterNavigation } from "./useFocusAfterNavigation";

/** Shown for unknown URLs and for items that are deleted or inaccessible. */
export function NotFound() {
  const { pathname } = useLocation();
  const missing = missingThing(pathname);
  const title = missing ? `This ${missing.thing} doesn’t exist` : "Page not found";
  useDocumentTitle(`${title} · Parley`);
  const heading = useFocusAfterNavigation<HTMLHeadingElement>();
  return (
    <Center py={80}>
      <Stack align="center" gap="sm">
        <Title order={1} size="h2" ref={heading} tabIndex={-1}>
          {title}
        </Title>
        <Text c="dimmed" ta="center">
          It may have been deleted, or you may not have access to it.
        </Text>
        <Group>
          {missing && (
            <Button component={Link} to={missing.list}>
              Go to {missing.listLabel}
            </Button>
          )}
          <Button component={Link} to="/" variant={missing ? "default" : "filled"}>
            Go to Overview
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
