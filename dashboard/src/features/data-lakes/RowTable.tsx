import { Group, Modal, ScrollArea, Stack, Table, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconSelector } from "@tabler/icons-react";
import { useState } from "react";
import type { Schemas } from "../../api";
import { CodeText } from "../../components/CodeBlock";
import { Dimmed, DimmedXs } from "../../components/variants";
import { inputTypeOf, typeLabel, yesOrNo } from "../../values/columnType";
import { CopyButton } from "../../components/CopyButton";
import { JsonTree } from "../../components/JsonTree";
import { ColumnFilterButton } from "./ColumnFilterButton";
import type { ColumnFilter } from "./columnFilters";
import { fractionDigits } from "./fractionDigits";
import classes from "./dataRows.module.css";

type Column = Schemas["DataLakeColumn"];

/** Fractions have thousands separators. Integers have none, because many are IDs or years. */
function formatCell(value: unknown, type: string, digits = 0): string {
  if (typeof value === "string") {
    return value;
  }
  if (typeof value === "boolean") {
    return yesOrNo(value);
  }
  return typeof value === "number" && inputTypeOf(type) === "FLOAT"
    ? value.toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: 20 })
    : JSON.stringify(value);
}

/** Numbers are right-aligned. */
const isNumber = (type: string) => ["INTEGER", "FLOAT"].includes(inputTypeOf(type) ?? "");

interface RowTableProps {
  lake: Schemas["DataLake"];
  rows: Record<string, unknown>[];
  sort: string | undefined;
  descending: boolean;
  onSort: (column: string) => void;
  filters: ColumnFilter[];
  onFilter: (column: string, filter: ColumnFilter | null) => void;
  empty: string;
}

/** A value that was opened. */
interface OpenedCell {
  column: Column;
  value: unknown;
}

/** The rows as a table. A click on a value shows all of it. */
export function RowTable({ lake, rows, sort, descending, onSort, filters, onFilter, empty }: RowTableProps) {
  const [opened, setOpened] = useState<OpenedCell | null>(null);
  const digits = new Map(
    lake.columns.map(({ name }) => [name, fractionDigits(rows.map((row) => row[name]))]),
  );
  return (
    <>
      <CellDialog cell={opened} onClose={() => setOpened(null)} />
      <ScrollArea.Autosize
        type="auto"
        // The scrollbar would cover the filter of the last column.
        offsetScrollbars="y"
        mah="70vh"
        viewportProps={{ tabIndex: 0, role: "region", "aria-label": `Rows of ${lake.name}` }}
      >
        <Table
          data-grid
          withColumnBorders
          withTableBorder
          stickyHeader
          verticalSpacing={6}
          fz="sm"
          highlightOnHover
        >
          <Table.Thead>
            <Table.Tr>
              {lake.columns.map((column) => (
                <Table.Th
                  key={column.name}
                  aria-sort={sort === column.name ? (descending ? "descending" : "ascending") : undefined}
                >
                  <Group gap={2} wrap="nowrap">
                    <SortButton
                      column={column}
                      direction={sort !== column.name ? null : descending ? "descending" : "ascending"}
                      onSort={onSort}
                    />
                    <ColumnFilterButton
                      column={column}
                      filter={filters.find((each) => each.column === column.name)}
                      onChange={(filter) => onFilter(column.name, filter)}
                    />
                  </Group>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, index) => (
              // Rows have no IDs and never reorder.
              // oxlint-disable-next-line react/no-array-index-key
              <Table.Tr key={index}>
                {lake.columns.map((column) => (
                  <Table.Td
                    key={column.name}
                    className={isNumber(column.type) ? "number" : undefined}
                    maw={320}
                  >
                    <Cell
                      of={row[column.name]}
                      type={column.type}
                      digits={digits.get(column.name)}
                      onOpen={() => setOpened({ column, value: row[column.name] })}
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {rows.length === 0 && <Dimmed p="sm">{empty}</Dimmed>}
      </ScrollArea.Autosize>
    </>
  );
}

interface SortButtonProps {
  column: Schemas["DataLakeColumn"];
  direction: "ascending" | "descending" | null;
  onSort: (column: string) => void;
}

function SortButton({ column, direction, onSort }: SortButtonProps) {
  const name = (
    <>
      {column.name}
      <DimmedXs fw={400} title={column.type}>
        {typeLabel(column.type)}
      </DimmedXs>
    </>
  );
  if (inputTypeOf(column.type) === null) {
    return <div className={classes.heading}>{name}</div>;
  }
  const Icon = direction === null ? IconSelector : direction === "ascending" ? IconArrowUp : IconArrowDown;
  return (
    <UnstyledButton
      className={classes.heading}
      onClick={() => onSort(column.name)}
      title={`Sort by ${column.name}`}
    >
      <span>{name}</span>
      <Icon size={15} aria-hidden className={classes.icon} data-active={direction !== null} />
    </UnstyledButton>
  );
}

/** The characters that a cell shows in any case. */
const MAX_WHOLE = 60;

interface CellProps {
  of: unknown;
  type: string;
  digits: number | undefined;
  onOpen: () => void;
}

function Cell({ of, type, digits, onOpen }: CellProps) {
  if (of === null || of === undefined) {
    return <Dimmed span>null</Dimmed>;
  }
  const text = formatCell(of, type, digits);
  return (
    // Short values are shown whole, so a tab stop at each would only be in the way.
    <UnstyledButton className={classes.cell} tabIndex={text.length > MAX_WHOLE ? 0 : -1} onClick={onOpen}>
      {text}
    </UnstyledButton>
  );
}

/** A whole value: texts with their lines, lists and structures as a tree. */
function CellDialog({ cell, onClose }: { cell: OpenedCell | null; onClose: () => void }) {
  const [last, setLast] = useState(cell);
  if (cell !== null && cell !== last) {
    // The dialog keeps its content while it fades out.
    setLast(cell);
  }
  const shown = cell ?? last;
  const { value, column } = shown ?? {};
  const isStructure = typeof value === "object" && value !== null;
  const text = shown && !isStructure ? formatCell(value, shown.column.type) : "";
  return (
    <Modal opened={cell !== null} onClose={onClose} title={column?.name} size="lg">
      <Stack gap="sm">
        {column && (
          <Dimmed>
            {typeLabel(column.type)}
            {typeof value === "string" && `, ${value.length.toLocaleString()} characters`}
          </Dimmed>
        )}
        {isStructure ? (
          <JsonTree value={value} label={column?.name ?? "value"} />
        ) : (
          <CodeText label="Value">{text}</CodeText>
        )}
        <Group justify="flex-end">
          <CopyButton text={isStructure ? JSON.stringify(value) : String(value)} label="Copy value" />
        </Group>
      </Stack>
    </Modal>
  );
}
