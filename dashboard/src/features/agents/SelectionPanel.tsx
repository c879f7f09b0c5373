import { Kbd, List, Stack, Text, Title } from "@mantine/core";

/** Shown instead of a form while several tasks or notes are selected. */
export function SelectionPanel({ count }: { count: number }) {
  return (
    <Stack gap="sm">
      <Title order={2} size="h5">
        {count} items selected
      </Title>
      <Text size="sm" c="dimmed">
        Drag one of them, or use the arrow keys, to move them together.
      </Text>
      <List size="sm" spacing={6} listStyleType="none" pl={0}>
        <List.Item>
          <Kbd>Ctrl C</Kbd> copies them, also for another agent
        </List.Item>
        <List.Item>
          <Kbd>Ctrl D</Kbd> duplicates them
        </List.Item>
        <List.Item>
          <Kbd>Delete</Kbd> deletes them
        </List.Item>
        <List.Item>
          <Kbd>Esc</Kbd> clears the selection
        </List.Item>
      </List>
    </Stack>
  );
}
