import { useVirtualizer, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';

const rowHeight = 65;

interface VirtualListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly renderRow: (item: Item) => ReactNode;
}

/** A long list of 64 px rows in the page's own scroll; only the rows near the window exist. */
export function PageList<Item>(props: VirtualListProps<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const [margin, setMargin] = useState(0);
  // What stands above may change height with every render (filters, the list before this one).
  useLayoutEffect(() => {
    const top = list.current ? list.current.getBoundingClientRect().top + window.scrollY : 0;
    setMargin(Math.round(top));
  });
  const virtualizer = useWindowVirtualizer({
    count: props.items.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keyAt(props, index),
    overscan: 8,
    scrollMargin: margin,
  });
  return (
    <Rows
      {...props}
      ref={list}
      height={virtualizer.getTotalSize()}
      rows={virtualizer.getVirtualItems()}
      shift={margin}
    />
  );
}

/** The same inside a box that scrolls by itself: the element, for a ref to it is still empty when the list is first laid out. */
export function BoxList<Item>({ box, ...props }: VirtualListProps<Item> & { box: HTMLElement | null }) {
  const virtualizer = useVirtualizer({
    count: props.items.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keyAt(props, index),
    getScrollElement: () => box,
    overscan: 8,
  });
  return <Rows {...props} height={virtualizer.getTotalSize()} rows={virtualizer.getVirtualItems()} shift={0} />;
}

interface RowsProps<Item> extends VirtualListProps<Item> {
  readonly ref?: RefObject<HTMLUListElement | null>;
  readonly height: number;
  readonly rows: readonly VirtualItem[];
  readonly shift: number;
}

function Rows<Item>({ ref, label, items, renderRow, height, rows, shift }: RowsProps<Item>) {
  return (
    <ul className="vlist" aria-label={label} ref={ref} style={{ height }}>
      {rows.map((row) => {
        const item = items[row.index];
        return (
          item !== undefined && (
            <li
              key={row.key}
              className="vrow"
              aria-setsize={items.length}
              aria-posinset={row.index + 1}
              style={{ height: row.size, transform: `translateY(${row.start - shift}px)` }}
            >
              {renderRow(item)}
            </li>
          )
        );
      })}
    </ul>
  );
}

function keyAt<Item>({ items, keyOf }: VirtualListProps<Item>, index: number): string {
  const item = items[index];
  return item === undefined ? String(index) : keyOf(item);
}
