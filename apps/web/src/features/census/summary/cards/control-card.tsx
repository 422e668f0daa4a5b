import type { ControlChart as ControlChartFigures, Signal } from '@wardline/census/forecast/control-chart.ts';
import { counted, formatCount } from '@wardline/format/counts.ts';
import { formatDecimal, formatRounded, formatRoundedDifference } from '@wardline/format/numbers.ts';
import { ChartCard } from '@wardline/ui/chart/chart-card.tsx';
import { ControlChart } from '@wardline/ui/chart/control-chart.tsx';
import { Table } from '@wardline/ui/table/table.tsx';
import { controlOf, type SeriesPoint } from '#/features/census/charts/daily-series.ts';
import { fullDay, shortDay } from '#/features/census/core/period/period.ts';

const SIGNALS: Readonly<Record<Signal, string>> = {
  beyond_limits: 'beyond the limits',
  one_side: '8 days on one side of the mean',
  trend: '6 days rising or falling',
};

/**
 * What is unusual for its weekday. The beds there are stand beside it in words: a ward can be steady, inside its limits, and
 * too full every day.
 */
export function ControlCard({ points, denominator }: { points: readonly SeriesPoint[]; denominator: string }) {
  const chart = controlOf(points);
  if (!chart) return null;
  const residual = (value: number | null | undefined) => formatRoundedDifference(value ?? null, 2);
  const textAt = (index: number) => [
    ...chart.signals.filter((signal) => signal.index === index).map(({ signal }) => SIGNALS[signal]),
    ...(chart.jumps.includes(index) ? ['a jump past the limit of moving ranges'] : []),
  ];
  return (
    <ChartCard
      title="Unusual days"
      note={`Service days less the mean of the weekday, ${counted(points.length, 'day')}`}
      table={
        <Table
          caption="Service days less the mean of their weekday"
          isDense
          hasStickyHead
          rows={points.map((point, index) => ({ ...point, index })).toReversed()}
          rowKey={({ date }) => date}
          columns={[
            { key: 'date', head: 'Census date', cell: ({ date }) => fullDay(date) },
            { key: 'occupied', head: 'Service days', isNumeric: true, cell: ({ occupied }) => formatCount(occupied) },
            {
              key: 'residual',
              head: 'From its weekday',
              isNumeric: true,
              cell: ({ index }) => residual(chart.values[index]),
            },
            {
              key: 'range',
              head: 'Moving range',
              isNumeric: true,
              cell: ({ index }) => formatRounded(chart.ranges[index] ?? null, 2),
            },
            { key: 'signal', head: 'Unusual', cell: ({ index }) => textAt(index).join(', ') },
          ]}
        />
      }
    >
      <ControlChart
        points={points.map(({ date }, index) => ({ label: shortDay(date), value: chart.values[index] ?? null }))}
        mean={chart.mean.value}
        upper={chart.upper.value}
        lower={chart.lower.value}
        signals={chart.signals.map(({ index, signal }) => ({ index, rule: SIGNALS[signal] }))}
        format={(value) => formatRoundedDifference(value, 2)}
      />
      <p className="t13 muted num">
        Limits {formatDecimal(chart.lower.text)} to {formatDecimal(chart.upper.text)}. {formatRange(chart, points)}{' '}
        <Capacity points={points} denominator={denominator} />
      </p>
    </ChartCard>
  );
}

/** How far a day lies from the one before, and on which days further than by chance. */
function formatRange({ meanRange, rangeLimit, jumps }: ControlChartFigures, points: readonly SeriesPoint[]): string {
  const days = jumps.map((index) => shortDay(points[index]?.date ?? '')).join(', ');
  const limits = `mean ${formatDecimal(meanRange.text)}, limit ${formatDecimal(rangeLimit.text)}`;
  return `Moving range: ${limits}, passed ${days === '' ? 'on no day' : `on ${days}`}.`;
}

function Capacity({ points, denominator }: { points: readonly SeriesPoint[]; denominator: string }) {
  const known = points.filter(({ occupied, beds }) => occupied !== null && beds !== null);
  const over = known.filter(({ occupied, beds }) => (occupied ?? 0) > (beds ?? 0)).length;
  const last = known.at(-1);
  if (!last) return null;
  return (
    <>
      Capacity: {formatCount(last.beds)} {denominator} beds on {shortDay(last.date)}; more service days than beds on{' '}
      {formatCount(over)} of {counted(known.length, 'day')}.
    </>
  );
}
