import type { LogEntry } from '@wardline/contract/census/logs.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { useState } from 'react';
import { DayFeed } from '#/shared/log-view/day-feed.tsx';
import { LogRow } from './log-row.tsx';

interface LogListProps {
  readonly entries: readonly LogEntry[];
  readonly facility: Facility;
  readonly today: string;
  /** The end of what is there has come into view. */
  readonly onEnd: () => void;
}

/** The entries by day; pressed, one unfolds. */
export function LogList({ entries, facility, today, onEnd }: LogListProps) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (seq: number) => {
    const next = new Set(open);
    if (!next.delete(seq)) next.add(seq);
    setOpen(next);
  };
  return (
    <DayFeed
      label="Log"
      entries={entries}
      keyOf={({ seq }) => seq}
      timeZone={facility.time_zone}
      today={today}
      onEnd={onEnd}
    >
      {(entry) => (
        <LogRow
          entry={entry}
          facility={facility}
          today={today}
          isOpen={open.has(entry.seq)}
          onToggle={() => toggle(entry.seq)}
        />
      )}
    </DayFeed>
  );
}
