import { Table } from "@mantine/core";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { cloneElement, useLayoutEffect, useRef, useState, type ReactElement } from "react";

interface Props<T> {
  items: T[];
  /** Renders one `Table.Tr` with its key. */
  children: (item: T) => ReactElement;
}

const ROW_HEIGHT = 46;

/** The body of a long table; renders only the rows near the window. */
export function VirtualRows<T>({ items, children }: Props<T>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (body.current) {
      setTop(body.current.getBoundingClientRect().top + window.scrollY);
    }
  }, []);
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 15,
    scrollMargin: top,
  });
  const rows = virtualizer.getVirtualItems();
  const before = (rows[0]?.start ?? top) - top;
  const after = virtualizer.getTotalSize() - ((rows.at(-1)?.end ?? top) - top);
  return (
    <Table.Tbody ref={body}>
      {before > 0 && <tr aria-hidden style={{ height: before }} />}
      {rows.map((row) =>
        cloneElement(children(items[row.index]!) as ReactElement<Record<string, unknown>>, {
          ref: virtualizer.measureElement,
          "data-index": row.index,
        }),
      )}
      {after > 0 && <tr aria-hidden style={{ height: after }} />}
    </Table.Tbody>
  );
}
