import { Stack, Table, VisuallyHidden } from "@mantine/core";
import type { MouseEvent, ReactElement, ReactNode } from "react";
import type { PagedQuery } from "../api";
import { QueryBoundary } from "./QueryBoundary";
import { VirtualRows } from "./VirtualRows";
import { LoadMoreButton } from "./LoadMoreButton";

/** A column heading; columns of buttons and checkboxes have a label for screen readers only. */
type Column =
  string | { label: string; numeric: true } | { hiddenLabel: string; width?: number; content?: ReactNode };

interface Props<T> {
  pages: PagedQuery<T>;
  columns: Column[];
  /** The table scrolls sideways below this width in pixels. */
  minWidth: number;
  /** Shown when the list has no rows. */
  empty: ReactNode;
  /** Renders one `Table.Tr` with its key. */
  children: (item: T) => ReactElement;
}

/** Lists of a full page render only the rows near the window. */
const VIRTUAL_FROM = 50;

/** Whether a loaded list has no rows without any filter, so that filters would be of no use. */
export const isBlank = (pages: PagedQuery<unknown>, filtered: boolean) =>
  pages.isSuccess && !filtered && pages.items.length === 0 && !pages.hasNextPage;

/** Opens the first link of a row that is clicked beside its links and controls. */
export function openRow(event: MouseEvent<HTMLElement>) {
  const target = event.target as HTMLElement;
  const link = target.closest("tbody tr, li")?.querySelector<HTMLElement>(".rowLink");
  const isSelecting = window.getSelection()?.isCollapsed === false;
  // Menus and dialogs are rendered elsewhere, but their events bubble through the row.
  if (!link || isSelecting || target.closest("a, button, input, label, [role=menu], [role=dialog]")) {
    return;
  }
  const { ctrlKey, metaKey, shiftKey } = event;
  link.dispatchEvent(
    new window.MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
  );
}

/** A paginated list as a table whose rows open on click. On phones each row becomes a block (main.css). */
export function PagedTable<T>({ pages, columns, minWidth, empty, children }: Props<T>) {
  return (
    <QueryBoundary query={pages}>
      {() =>
        pages.items.length === 0 && !pages.hasNextPage ? (
          empty
        ) : (
          <Stack>
            <Table.ScrollContainer minWidth={minWidth}>
              <Table highlightOnHover className="openableRows" onClick={openRow}>
                <Table.Thead>
                  <Table.Tr>{columns.map(heading)}</Table.Tr>
                </Table.Thead>
                {pages.items.length >= VIRTUAL_FROM ? (
                  <VirtualRows items={pages.items}>{children}</VirtualRows>
                ) : (
                  <Table.Tbody>{pages.items.map((item) => children(item))}</Table.Tbody>
                )}
              </Table>
            </Table.ScrollContainer>
            <LoadMoreButton pages={pages} />
          </Stack>
        )
      }
    </QueryBoundary>
  );
}

function heading(column: Column) {
  if (typeof column === "object" && "hiddenLabel" in column) {
    return (
      <Table.Th key={column.hiddenLabel} w={column.width}>
        {column.content ?? <VisuallyHidden>{column.hiddenLabel}</VisuallyHidden>}
      </Table.Th>
    );
  }
  const label = typeof column === "string" ? column : column.label;
  return (
    <Table.Th
      key={label}
      className={typeof column === "string" ? undefined : "number"}
      style={{ whiteSpace: "nowrap" }}
    >
      {label}
    </Table.Th>
  );
}
