import { Stack, Text } from "@mantine/core";
import { memberLabel } from "./memberLabel";
import { Dimmed, DimmedXs } from "./variants";
import { FormattedText } from "./Markdown";
import { JsonBlock } from "./JsonBlock";
import { Time } from "./Time";
import { rowsOf, scalarText, ValueTable } from "./ValueTable";
import classes from "./valueTable.module.css";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const decimal = new Intl.NumberFormat(undefined, { useGrouping: false, maximumFractionDigits: 20 });

/** One input or output of a task; files are shown or downloadable. */
export function ValueView({ value, name }: { value: unknown; name: string }) {
  if (value === null || value === undefined) {
    return <Dimmed component="span">None</Dimmed>;
  }
  if (typeof value === "object") {
    return <StructureView value={value} name={name} />;
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

/** A list of objects as a table, a list of single values as a list, and everything else as JSON. */
function StructureView({ value, name }: { value: object; name: string }) {
  const rows = rowsOf(value);
  if (rows) {
    return <ValueTable rows={rows} value={value} label={name} />;
  }
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each !== "object")) {
    return (
      <ul className={classes.list}>
        {value.map((each: unknown, index) => (
          // Values have no IDs.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>{scalarText(each)}</li>
        ))}
      </ul>
    );
  }
  return <JsonBlock value={value} label={name} />;
}

/** A value as the person writes it. */
function plainText(value: unknown): string {
  if (typeof value === "boolean") {
    return value ? "Yes" : "No";
  }
  return typeof value === "number" && value % 1 !== 0 ? decimal.format(value) : String(value);
}

const MAX_SHORT = 800;

/** Whether a value stays on one page of paper. */
const isShort = (value: unknown) => typeof value !== "object" && String(value).length <= MAX_SHORT;

interface ListProps {
  values: Record<string, unknown>;
  /** For people who do not build agents: "unit_price" as "Unit price". */
  readable?: boolean;
}

/** Named values in the order of the object. */
export function ValueList({ values, readable = false }: ListProps) {
  const entries = Object.entries(values);
  if (entries.length === 0) {
    return <Dimmed>No values.</Dimmed>;
  }
  return (
    <Stack gap="sm">
      {entries.map(([name, value]) => (
        <div key={name} style={{ breakInside: isShort(value) ? "avoid" : undefined }}>
          <DimmedXs fw={600} style={{ breakAfter: "avoid" }}>
            {readable ? memberLabel(name) : name}
          </DimmedXs>
          <ValueView value={value} name={name} />
        </div>
      ))}
    </Stack>
  );
}
