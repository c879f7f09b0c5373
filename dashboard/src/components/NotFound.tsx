import { Center, Group, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useLocation } from "react-router";
import { missingThing } from "./missingThing";
import { useFocusAfterNavigation } from "./useFocusAfterNavigation";
import { LinkButton } from "./variants";

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
          {missing && <LinkButton to={missing.list}>Go to {missing.listLabel}</LinkButton>}
          <LinkButton to="/" variant={missing ? "default" : "filled"}>
            Go to Overview
          </LinkButton>
        </Group>
      </Stack>
    </Center>
  );
}
