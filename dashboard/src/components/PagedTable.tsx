import { Stack, Table } from "@mantine/core";
import type { MouseEvent, ReactElement, ReactNode } from "react";
import type { PagedQuery } from "../api";
import { TableHead, type Column } from "./DataTable";
import { QueryBoundary } from "./QueryBoundary";
import { VirtualRows } from "./VirtualRows";
import { LoadMoreButton } from "./LoadMoreButton";

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
                <TableHead columns={columns} />
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
