import { Button, Group, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useFocusAdded } from "../../components/useFocusAdded";
import { useIssuesAt } from "./validation";

interface Props {
  title: string;
  path: string;
  /** Without it, nothing can be added. */
  action: string | undefined;
  onAdd: () => void;
  children: ReactNode;
}

/** The inputs or outputs of a task, with the validation issues of the list itself. */
export function ParameterList({ title, path, action, onAdd, children }: Props) {
  const at = useIssuesAt();
  const { list, focusAdded } = useFocusAdded();
  return (
    <Stack gap="xs" ref={list}>
      <Group justify="space-between">
        <Text fw={600} size="sm">
          {title}
        </Text>
        {action !== undefined && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconPlus size={12} />}
            onClick={() => focusAdded(onAdd)}
          >
            {action}
          </Button>
        )}
      </Group>
      {at(path) && (
        <Text size="sm" c="var(--mantine-color-error)">
          {at(path)}
        </Text>
      )}
      {children}
    </Stack>
  );
}
