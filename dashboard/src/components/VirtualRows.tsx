import { Table } from "@mantine/core";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  cloneElement,
  useLayoutEffect,
  useRef,
  useState,
  type ReactElement,
  type Ref,
  type RefObject,
} from "react";
import { usePrinting } from "./usePrinting";

/** What the row of a long table passes on to its `Table.Tr`, so that its height is measured. */
export interface MeasuredRow {
  ref?: Ref<HTMLTableRowElement>;
  "data-index"?: number;
}

interface Props<T> {
  items: T[];
  /** Renders one `Table.Tr`, or a {@link MeasuredRow}, with its key. */
  children: (item: T) => ReactElement;
}

const ROW_HEIGHT = 46;
const OVERSCAN = 15;

/** The rows near the window, and the heights of those before and after them; on paper all rows. */
export function useRowsInWindow(list: RefObject<HTMLElement | null>, count: number, rowHeight: number) {
  const [top, setTop] = useState(0);
  const printing = usePrinting();
  useLayoutEffect(() => {
    if (list.current) {
      setTop(list.current.getBoundingClientRect().top + window.scrollY);
    }
  }, [list]);
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  const rows = virtualizer.getVirtualItems();
  if (printing) {
    return {
      indexes: Array.from({ length: count }, (_, index) => index),
      before: 0,
      after: 0,
      measure: virtualizer.measureElement,
      scrollTo: () => undefined,
    };
  }
  return {
    indexes: rows.map((row) => row.index),
    before: (rows[0]?.start ?? top) - top,
    after: virtualizer.getTotalSize() - ((rows.at(-1)?.end ?? top) - top),
    measure: virtualizer.measureElement,
    scrollTo: (index: number) => virtualizer.scrollToIndex(index),
  };
}

/** The body of a long table; renders only the rows near the window. */
export function VirtualRows<T>({ items, children }: Props<T>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { indexes, before, after, measure } = useRowsInWindow(body, items.length, ROW_HEIGHT);
  return (
    <Table.Tbody ref={body}>
      {before > 0 && <tr aria-hidden style={{ height: before }} />}
      {indexes.map((index) =>
        cloneElement(children(items[index]!) as ReactElement<Record<string, unknown>>, {
          ref: measure,
          "data-index": index,
        }),
      )}
      {after > 0 && <tr aria-hidden style={{ height: after }} />}
    </Table.Tbody>
  );
}
