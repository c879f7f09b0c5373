import { Kbd, List, Stack } from "@mantine/core";
import { CardHeading, Dimmed } from "../../components/variants";

/** Shown instead of a form while several tasks or notes are selected. */
export function SelectionPanel({ count }: { count: number }) {
  return (
    <Stack gap="sm">
      <CardHeading>{count} items selected</CardHeading>
      <Dimmed>Drag one of them, or use the arrow keys, to move them together.</Dimmed>
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
