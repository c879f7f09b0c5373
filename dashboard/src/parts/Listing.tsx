import { Stack, Table } from "@mantine/core";
import type { ReactNode } from "react";
import type { Pages } from "../api/pages";
import { Loaded } from "./Loaded";
import { More } from "./More";

/** A heading; one that only screen readers hear stands over buttons and boxes. */
type Column = string | { unseen: string; width?: number };

interface Props<T> {
  pages: Pages<T>;
  columns: Column[];
  /** Below this many pixels the table is scrolled sideways. */
  minWidth: number;
  /** Shown instead of a list without rows: what is missing, and what to do next. */
  empty: ReactNode;
  /** One `Table.Tr`, with its key. */
  children: (item: T) => ReactNode;
}

/** A list that comes in pages, as a table; on a phone its rows are blocks (main.css). */
export function Listing<T>({ pages, columns, minWidth, empty, children }: Props<T>) {
  return (
    <Loaded query={pages}>
      {() =>
        pages.items.length === 0 ? (
          empty
        ) : (
          <Stack>
            <Table.ScrollContainer minWidth={minWidth}>
              <Table highlightOnHover>
                <Table.Thead>
                  <Table.Tr>{columns.map(heading)}</Table.Tr>
                </Table.Thead>
                <Table.Tbody>{pages.items.map((item) => children(item))}</Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            <More pages={pages} />
          </Stack>
        )
      }
    </Loaded>
  );
}

function heading(column: Column) {
  return typeof column === "string" ? (
    <Table.Th key={column}>{column}</Table.Th>
  ) : (
    <Table.Th key={column.unseen} w={column.width} aria-label={column.unseen} />
  );
}
