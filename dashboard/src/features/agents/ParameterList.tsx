import { Group, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Strong, SecondaryButton, ErrorText } from "../../components/variants";
import { useFocusAdded } from "../../components/useFocusAdded";
import { useIssuesAt } from "../../values/validation";

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
        <Strong>{title}</Strong>
        {action !== undefined && (
          <SecondaryButton
            size="compact-xs"
            leftSection={<IconPlus size={12} />}
            onClick={() => focusAdded(onAdd)}
          >
            {action}
          </SecondaryButton>
        )}
      </Group>
      {at(path) && <ErrorText>{at(path)}</ErrorText>}
      {children}
    </Stack>
  );
}
