import { Table, VisuallyHidden, type TableProps } from "@mantine/core";
import type { ReactNode } from "react";

/** A column heading; columns of buttons and checkboxes have a label for screen readers only. */
export type Column =
  | string
  | { label: string; numeric?: boolean; width?: number }
  | { hiddenLabel: string; width?: number; content?: ReactNode };

interface Props extends TableProps {
  /** False leaves a column out. */
  columns: (Column | false)[];
  /** The table scrolls sideways below this width in pixels. */
  minWidth?: number;
  /** The table scrolls above this height in pixels. */
  maxHeight?: number;
  /** The rows. */
  children: ReactNode;
}

/** A table with a row of headings. */
export function DataTable({ columns, minWidth, maxHeight, children, ...props }: Props) {
  const table = (
    <Table {...props}>
      <TableHead columns={columns} />
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  );
  return minWidth === undefined ? (
    table
  ) : (
    <Table.ScrollContainer minWidth={minWidth} maxHeight={maxHeight}>
      {table}
    </Table.ScrollContainer>
  );
}

export const TableHead = ({ columns }: Pick<Props, "columns">) => (
  <Table.Thead>
    <Table.Tr>{columns.map((column) => column !== false && heading(column))}</Table.Tr>
  </Table.Thead>
);

function heading(column: Column) {
  if (typeof column === "object" && "hiddenLabel" in column) {
    return (
      <Table.Th key={column.hiddenLabel} w={column.width}>
        {column.content ?? <VisuallyHidden>{column.hiddenLabel}</VisuallyHidden>}
      </Table.Th>
    );
  }
  const {
    label,
    numeric = false,
    width = undefined,
  } = typeof column === "string" ? { label: column } : column;
  return (
    <Table.Th
      key={label}
      miw={width}
      className={numeric ? "number" : undefined}
      style={{ whiteSpace: "nowrap" }}
    >
      {label}
    </Table.Th>
  );
}
