import type { CensusDate } from '@wardline/census/calendar.ts';
import { ChartCard } from '@wardline/ui/chart/chart-card.tsx';
import { MonthCalendar } from '@wardline/ui/chart/month-calendar.tsx';
import { Table } from '@wardline/ui/table/table.tsx';
import type { ReactNode } from 'react';
import { fullDay, shortDay } from '#/features/census/core/period/period.ts';
import type { ToldDay } from './calendar-days.ts';

interface CalendarCardProps {
  readonly title: string;
  readonly days: readonly ToldDay[];
  /** What the word of a day is about, over its column of the table. */
  readonly head: string;
  readonly aside?: ReactNode;
  /** Null where its days lead nowhere. */
  readonly onOpen: ((date: CensusDate) => void) | null;
}

/** Days with their states, as a calendar and as rows. */
export function CalendarCard({ title, days, head, aside, onOpen }: CalendarCardProps) {
  return (
    <ChartCard
      title={title}
      aside={aside}
      table={
        <Table
          caption={`${title} by day`}
          isDense
          hasStickyHead
          rows={days.toReversed()}
          rowKey={({ date }) => date}
          columns={[
            { key: 'date', head: 'Census date', cell: ({ date }) => fullDay(date) },
            { key: 'word', head, cell: ({ told }) => told },
          ]}
        />
      }
    >
      <MonthCalendar
        label={title}
        days={days}
        onOpen={onOpen ? ({ date }) => onOpen(date) : undefined}
        dayName={shortDay}
      />
    </ChartCard>
  );
}
