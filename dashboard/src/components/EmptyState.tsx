import { Center, Stack, ThemeIcon } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { SectionHeading, Dimmed } from "./variants";

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
        <SectionHeading ta="center">{title}</SectionHeading>
        <Dimmed ta="center" component="div">
          {children}
        </Dimmed>
        {action}
      </Stack>
    </Center>
  );
}
