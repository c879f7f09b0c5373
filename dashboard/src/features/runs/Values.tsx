import { Stack, Text } from "@mantine/core";
import { Value } from "../../parts/values";

/** Values by name, in the order in which they came. */
export function Values({ of }: { of: Record<string, unknown> }) {
  const entries = Object.entries(of);
  if (entries.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        Nothing.
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      {entries.map(([name, value]) => (
        <div key={name}>
          <Text size="xs" fw={600} c="dimmed">
            {name}
          </Text>
          <Value of={value} name={name} />
        </div>
      ))}
    </Stack>
  );
}
