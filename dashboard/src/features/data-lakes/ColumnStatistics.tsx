import { Group, Loader, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useColumnStatistics, type Schemas } from "../../api";
import { Dimmed } from "../../components/variants";
import { formatNumberText, typeLabel, yesOrNo } from "../../values/columnType";
import { RowsError } from "./RowsError";

/** The server estimates the number of different values of larger data sets. */
const MAX_COUNTED_ROWS = 100_000;

const DATE_LENGTH = "2026-12-31".length;

interface Props {
  lake: Schemas["DataLake"];
  /** Buttons to show if the rows cannot be read. */
  remedies: ReactNode;
}

/** The columns of a data set with statistics over all rows. */
export function ColumnStatistics({ lake, remedies }: Props) {
  const statistics = useColumnStatistics(lake);
  const found = new Map(statistics.data?.columns.map((column) => [column.name, column]));
  return (
    <>
      <RowsError
        lake={lake}
        error={statistics.error}
        onRetry={() => void statistics.refetch()}
        remedies={remedies}
      />
      {statistics.isPending && (
        <Group gap="xs" mb="sm" role="status">
          <Loader size="xs" />
          <Dimmed>Reading all rows…</Dimmed>
        </Group>
      )}
      <Table.ScrollContainer minWidth={880}>
        <Table fz="sm">
          <Table.Thead>
            <Table.Tr>
              {[
                "Column",
                "Type",
                "Empty",
                "Different values",
                "Smallest",
                "Largest",
                "Average",
                "Most frequent",
              ].map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lake.columns.map(({ name, type }) => {
              const column = found.get(name);
              return (
                <Table.Tr key={name}>
                  <Table.Td fw={600}>{name}</Table.Td>
                  <Table.Td data-label="Type" ff="monospace" fz="xs" style={{ whiteSpace: "nowrap" }}>
                    {typeLabel(type)}
                  </Table.Td>
                  <Table.Td data-label="Empty">{column && emptyText(column.nulls, lake.rows)}</Table.Td>
                  <Table.Td data-label="Different values">
                    {column &&
                      (lake.rows > MAX_COUNTED_ROWS ? "about " : "") + column.distinct.toLocaleString()}
                  </Table.Td>
                  <Table.Td data-label="Smallest" maw={220}>
                    <Value of={column?.min} type={type} />
                  </Table.Td>
                  <Table.Td data-label="Largest" maw={220}>
                    <Value of={column?.max} type={type} />
                  </Table.Td>
                  <Table.Td data-label="Average">
                    <Value of={column && meanText(column.mean)} type="VARCHAR" />
                  </Table.Td>
                  <Table.Td data-label="Most frequent" maw={260}>
                    {column && <Frequent values={column.frequent} type={type} />}
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}

/** For example "12 (0.4%)". */
function emptyText(nulls: number, rows: number): string {
  const share = rows > 0 && nulls > 0 ? ` (${((100 * nulls) / rows).toFixed(nulls === rows ? 0 : 1)}%)` : "";
  return nulls.toLocaleString() + share;
}

function Frequent({ values, type }: { values: { value: string; count: number }[]; type: string }) {
  const text = values.map(({ value, count }) => `${shownText(value, type)}\u00a0(${count.toLocaleString()})`);
  return <Value of={text.length > 0 ? text.join(", ") : null} type="VARCHAR" />;
}

/** With at most two digits after the point. */
function meanText(mean: string | null): string | null {
  return mean && Number.isFinite(Number(mean))
    ? Number(mean).toLocaleString(undefined, { maximumFractionDigits: 2 })
    : mean;
}

const shownText = (value: string, type: string) =>
  type === "BOOLEAN" ? yesOrNo(value === "true") : formatNumberText(value, type);

function Value({ of: found, type }: { of: string | null | undefined; type: string }) {
  if (found === undefined) {
    return null;
  }
  const value = found && shownText(found, type);
  return (
    <Text
      span
      size="sm"
      lineClamp={2}
      // A date does not break at its hyphens.
      style={{ whiteSpace: value && value.length <= DATE_LENGTH ? "nowrap" : undefined }}
      c={value === null ? "dimmed" : undefined}
      title={value ?? undefined}
    >
      {value ?? "–"}
    </Text>
  );
}
