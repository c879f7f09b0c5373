import { Kbd, List, Stack } from "@mantine/core";
import { CardHeading, Dimmed } from "../../components/variants";

const KEYS = [
  ["Ctrl C", "copies them, also for another agent"],
  ["Ctrl D", "duplicates them"],
  ["Delete", "deletes them"],
  ["Esc", "clears the selection"],
] as const;

/** Shown instead of a form while several tasks or notes are selected. */
export function SelectionPanel({ count }: { count: number }) {
  return (
    <Stack gap="sm">
      <CardHeading>{count} items selected</CardHeading>
      <Dimmed>Drag one of them, or use the arrow keys, to move them together.</Dimmed>
      <List size="sm" spacing={6} listStyleType="none" pl={0}>
        {KEYS.map(([key, effect]) => (
          <List.Item key={key}>
            <Kbd>{key}</Kbd> {effect}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
