import { Stack, Text } from "@mantine/core";
import { FormattedText } from "./Markdown";
import { JsonBlock } from "./JsonBlock";

/** One input or output of a task; files are shown or downloadable. */
export function ValueView({ value, name }: { value: unknown; name: string }) {
  if (value === null || value === undefined) {
    return (
      <Text c="dimmed" size="sm" component="span">
        None
      </Text>
    );
  }
  if (typeof value === "object") {
    return <JsonBlock value={value} label={name} />;
  }
  return (
    <FormattedText switchable>
      {typeof value === "boolean" ? (value ? "Yes" : "No") : String(value)}
    </FormattedText>
  );
}

/** Named values in the order of the object. */
export function ValueList({ values }: { values: Record<string, unknown> }) {
  const entries = Object.entries(values);
  if (entries.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        No values.
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
          <ValueView value={value} name={name} />
        </div>
      ))}
    </Stack>
  );
}
