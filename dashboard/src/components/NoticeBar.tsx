import { Alert, Group, Text, type AlertProps } from "@mantine/core";
import type { ReactNode } from "react";

interface Props extends AlertProps {
  text: ReactNode;
}

/** A notice in one line, with its actions at the end. */
export function NoticeBar({ text, children, ...props }: Props) {
  return (
    <Alert color="yellow" role="status" py="xs" {...props}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{text}</Text>
        {children}
      </Group>
    </Alert>
  );
}
