import { Stack, Text } from "@mantine/core";
import { TextWithLinks } from "./files";
import { Json } from "./Json";

/** One value of a task, as a person reads it; a file is seen or downloaded. */
export function Value({ of, name }: { of: unknown; name: string }) {
  if (of === null || of === undefined) {
    return (
      <Text c="dimmed" size="sm" component="span">
        none
      </Text>
    );
  }
  if (typeof of === "object") {
    return <Json value={of} label={name} />;
  }
  return <TextWithLinks>{typeof of === "boolean" ? (of ? "Yes" : "No") : String(of)}</TextWithLinks>;
}

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
