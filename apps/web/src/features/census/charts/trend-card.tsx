import type { Denominator } from '@wardline/contract/census/facility.ts';
import { formatMonth } from '@wardline/format/periods.ts';
import { ChartCard } from '@wardline/ui/chart/chart-card.tsx';
import { TrendChart } from '@wardline/ui/chart/trend-chart.tsx';
import { Table } from '@wardline/ui/table/table.tsx';
import { bedsHead, counted, formatCount, formatRounded, NO_FIGURE } from '#/features/census/core/format-figure.ts';
import { fullDay, shortDay } from '#/features/census/core/period/period.ts';
import type { TrendPoint } from './daily-series.ts';
import { LeftOut } from './left-out.tsx';

interface TrendCardProps {
  readonly points: readonly TrendPoint[];
  readonly by: 'day' | 'month';
  readonly denominator: Denominator;
}

/**
 * Service days against the beds there were, as every occupancy divides them: who came and left between two counts had a bed as
 * well. A closed bed shows as a step of its own line.
 */
export function TrendCard({ points, by, denominator }: TrendCardProps) {
  const beds = bedsHead(denominator);
  const served = servedHead(by);
  return (
    <ChartCard
      title={`Service days and ${denominator} beds`}
      note={`${counted(points.length, by)}, same-day patients included, newborn and units without beds apart`}
      table={<TrendTable points={points} by={by} beds={beds} />}
    >
      <TrendChart
        days={points.map(({ date }) => date)}
        dayName={shortDay}
        missing={points.map(({ reported, expected }) => reported < expected)}
        series={[
          { key: 'beds', label: beds, kind: 'step', values: points.map((point) => point.beds) },
          ...(by === 'day'
            ? [{ key: 'mean', label: '7-day mean', kind: 'mean' as const, values: points.map(({ mean }) => mean) }]
            : []),
          { key: 'occupied', label: served, kind: 'line', values: points.map(({ occupied }) => occupied) },
        ]}
        format={(value) => formatCount(Math.round(value))}
      />
    </ChartCard>
  );
}

const servedHead = (by: 'day' | 'month') => (by === 'day' ? 'Service days' : 'Service days a day');

function TrendTable({ points, by, beds }: { points: readonly TrendPoint[]; by: 'day' | 'month'; beds: string }) {
  const perDay = (value: number | null) =>
    value === null ? NO_FIGURE : by === 'day' ? formatCount(value) : twoPlaces(value);
  return (
    <Table
      caption={`Service days and beds by ${by}`}
      isDense
      hasStickyHead
      rows={points.toReversed()}
      rowKey={({ date }) => date}
      columns={[
        {
          key: 'date',
          head: by === 'day' ? 'Census date' : 'Month',
          cell: ({ date }) => (by === 'day' ? fullDay(date) : formatMonth(date)),
        },
        { key: 'occupied', head: servedHead(by), isNumeric: true, cell: ({ occupied }) => perDay(occupied) },
        {
          key: 'mean',
          head: '7-day mean',
          isNumeric: true,
          cell: ({ mean }) => (mean === null ? NO_FIGURE : twoPlaces(mean)),
        },
        { key: 'beds', head: beds, isNumeric: true, cell: (point) => perDay(point.beds) },
        {
          key: 'cover',
          head: 'Reports',
          isNumeric: true,
          cell: ({ reported, expected }) => <LeftOut reported={reported} expected={expected} />,
        },
      ]}
    />
  );
}

function twoPlaces(value: number): string {
  return formatRounded(value, 2);
}
