import './log-view.css';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { classNames } from '@wardline/ui/class-names.ts';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { dayIn, formatDay } from '#/shared/time/zoned-time.ts';

const ROW_PX = 45;
const HEAD_PX = 48;

interface DayFeedProps<Entry extends { readonly at: string }> {
  readonly label: string;
  readonly entries: readonly Entry[];
  readonly keyOf: (entry: Entry) => number | string;
  readonly timeZone: string;
  readonly today: string;
  readonly children: (entry: Entry) => ReactNode;
  /** The end of what is there has come into view. */
  readonly onEnd: () => void;
}

/** Entries in the page's own scroll, under the days on which they were written; only those near the window exist. */
export function DayFeed<Entry extends { readonly at: string }>(props: DayFeedProps<Entry>) {
  const { label, entries, keyOf, timeZone, today, children, onEnd } = props;
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    setMargin(list.current ? Math.round(list.current.getBoundingClientRect().top + window.scrollY) : 0);
  });
  const days = entries.map(({ at }) => dayIn(timeZone, Date.parse(at)));
  const isFirst = (index: number) => days[index] !== days[index - 1];
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    estimateSize: (index) => ROW_PX + (isFirst(index) ? HEAD_PX : 0),
    getItemKey: (index) => {
      const entry = entries[index];
      return entry === undefined ? index : keyOf(entry);
    },
    overscan: 10,
    scrollMargin: margin,
  });
  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? -1;
  const isAtEnd = entries.length > 0 && last >= entries.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, onEnd]);

  return (
    // A feed: an endless list of articles, for screen readers too.
    <div className="log-list" role="feed" aria-label={label} ref={list} style={{ height: virtualizer.getTotalSize() }}>
      {rows.map(({ index, key, start }) => {
        const entry = entries[index];
        const day = days[index];
        if (!entry || day === undefined) return null;
        return (
          <article
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className="log-item"
            aria-setsize={-1}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - margin}px)` }}
          >
            {isFirst(index) && <h2 className="log-day">{formatDay(day, today)}</h2>}
            <div className={classNames('log-card', isFirst(index) && 'is-first', isFirst(index + 1) && 'is-last')}>
              {children(entry)}
            </div>
          </article>
        );
      })}
    </div>
  );
}
