import { Center, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Dimmed } from "../../components/variants";
import { ABOUT_PARLEY } from "../../components/aboutParley";

interface Props {
  title: string;
  /** Whether to say what Parley is. */
  withAbout?: boolean;
  children: ReactNode;
}

/** The centered card of the pages outside a session. */
export function SignInCard({ title, withAbout, children }: Props) {
  useDocumentTitle(`${title} · Parley`);
  return (
    <Center component="main" mih="100dvh" p="md" bg="var(--parley-raised)">
      <Stack w="100%" maw={400} gap="lg">
        <Group justify="center" gap="xs">
          <img src="/icon.svg" width={32} height={32} alt="" />
          <Text fw={700} size="xl">
            Parley
          </Text>
        </Group>
        {withAbout && <Dimmed ta="center">{ABOUT_PARLEY}</Dimmed>}
        <Paper withBorder p="xl" radius="lg" shadow="xs">
          <Title order={1} size="h3" mb="md">
            {title}
          </Title>
          {children}
        </Paper>
      </Stack>
    </Center>
  );
}
