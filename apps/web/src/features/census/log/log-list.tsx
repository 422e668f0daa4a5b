import { useWindowVirtualizer } from '@tanstack/react-virtual';
import type { LogEntry } from '@wardline/contract/census-logs.ts';
import type { Facility } from '@wardline/contract/facilities.ts';
import { classNames } from '@wardline/ui/class-names.ts';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { dayIn, formatDay } from '#/shared/time/zoned-time.ts';
import { LogRow } from './log-row.tsx';

const ROW_PX = 45;
const HEAD_PX = 48;

interface LogListProps {
  readonly entries: readonly LogEntry[];
  readonly facility: Facility;
  readonly today: string;
  /** The end of what is there has come into view. */
  readonly onEnd: () => void;
}

/** The entries in the page's own scroll, under the days on which they were written; only those near the window exist. */
export function LogList({ entries, facility, today, onEnd }: LogListProps) {
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  useLayoutEffect(() => {
    setMargin(list.current ? Math.round(list.current.getBoundingClientRect().top + window.scrollY) : 0);
  });
  const days = entries.map(({ at }) => dayIn(facility.time_zone, Date.parse(at)));
  const isFirst = (index: number) => days[index] !== days[index - 1];
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    estimateSize: (index) => ROW_PX + (isFirst(index) ? HEAD_PX : 0),
    getItemKey: (index) => entries[index]?.seq ?? index,
    overscan: 10,
    scrollMargin: margin,
  });
  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? -1;
  const isAtEnd = entries.length > 0 && last >= entries.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, onEnd]);
  const toggle = (seq: number) => {
    const next = new Set(open);
    if (!next.delete(seq)) next.add(seq);
    setOpen(next);
  };

  return (
    // A feed: an endless list of articles, for screen readers too.
    <div className="log-list" role="feed" aria-label="Log" ref={list} style={{ height: virtualizer.getTotalSize() }}>
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
              <LogRow
                entry={entry}
                facility={facility}
                today={today}
                isOpen={open.has(entry.seq)}
                onToggle={() => toggle(entry.seq)}
              />
            </div>
          </article>
        );
      })}
    </div>
  );
}
