import { Center, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface Props {
  icon: Icon;
  title: string;
  /** The suggested next step. */
  children: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon: Picture, title, children, action }: Props) {
  return (
    <Center py={48}>
      <Stack align="center" gap="sm" maw={440}>
        <ThemeIcon size={52} radius="xl" variant="light" aria-hidden>
          <Picture size={26} />
        </ThemeIcon>
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
        <Text c="dimmed" ta="center" size="sm" component="div">
          {children}
        </Text>
        {action}
      </Stack>
    </Center>
  );
}
