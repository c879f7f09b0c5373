import { Stack, Text } from "@mantine/core";
import { FormattedText } from "./Markdown";
import { JsonBlock } from "./JsonBlock";
import { Time } from "./Time";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const decimal = new Intl.NumberFormat(undefined, { useGrouping: false, maximumFractionDigits: 20 });

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
  if (typeof value === "string" && TIME.test(value) && !Number.isNaN(Date.parse(value))) {
    return (
      <Text size="sm" component="div">
        <Time at={value} />
      </Text>
    );
  }
  return <FormattedText switchable>{plainText(value)}</FormattedText>;
}

/** A value as the person writes it. */
function plainText(value: unknown): string {
  if (typeof value === "boolean") {
    return value ? "Yes" : "No";
  }
  return typeof value === "number" && value % 1 !== 0 ? decimal.format(value) : String(value);
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
