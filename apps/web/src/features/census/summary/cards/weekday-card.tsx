import { addDays } from '@wardline/census/calendar.ts';
import { type Signal, type WeekdayControl, weekdayControls } from '@wardline/census/forecast/control-chart.ts';
import { weekdayIndex } from '@wardline/format/dates.ts';
import { weekdayNames } from '@wardline/format/periods.ts';
import { ChartCard } from '@wardline/ui/chart/chart-card.tsx';
import { ControlChart } from '@wardline/ui/chart/control-chart.tsx';
import { ControlMultiples } from '@wardline/ui/chart/control-multiples.tsx';
import { Table } from '@wardline/ui/table/table.tsx';
import { useState } from 'react';
import type { SeriesPoint } from '#/features/census/charts/daily-series.ts';
import { counted, formatCount, formatDecimal, formatRounded, NO_FIGURE } from '#/features/census/core/format-figure.ts';
import { fullDay, shortDay } from '#/features/census/core/period/period.ts';

/** With fewer a weekday has no chart worth looking at. */
export const FEWEST_DAYS = 28;
const NAMES = weekdayNames();

interface Weekday extends WeekdayControl {
  readonly short: string;
  readonly long: string;
  readonly points: readonly SeriesPoint[];
  readonly signals: readonly { readonly index: number; readonly rule: string }[];
}

/** Mondays beside Mondays, Sundays beside Sundays: seven control charts on one scale, each with limits of its own. */
export function WeekdayCard({ points }: { points: readonly SeriesPoint[] }) {
  const [openKey, setOpenKey] = useState<string | null>(null);
  const [first] = points;
  if (!first || points.length < FEWEST_DAYS) return null;
  const weekdays = weekdaysOf(points, weekdayIndex(first.date));
  const open = weekdays.find(({ short }) => short === openKey);
  return (
    <ChartCard
      title="By weekday"
      note={`Service days in beds, ${counted(points.length, 'day')}, limits by weekday, one scale`}
      table={
        <div className="stack stack-4">
          <LimitsTable weekdays={weekdays} />
          <WeeksTable weekdays={weekdays} />
        </div>
      }
    >
      <div className="stack stack-3">
        <ControlMultiples
          items={weekdays.map(({ short, points: own, chart, signals }) => ({
            key: short,
            title: short,
            points: own.map(({ date, occupied }) => ({ label: shortDay(date), value: occupied })),
            limits: chart && { mean: chart.mean.value, upper: chart.upper.value, lower: chart.lower.value },
            signals,
          }))}
          format={(value) => formatCount(Math.round(value))}
          openKey={openKey}
          onOpen={setOpenKey}
        />
        {open && (
          <div key={open.short} ref={bringIntoView} className="sum-weekday">
            <OneWeekday weekday={open} />
          </div>
        )}
        <p className="t13 muted">
          Under each weekday its mean and its limits. A ring is a day that breaks a rule; press a chart to read which.
        </p>
      </div>
    </ChartCard>
  );
}

/** Under seven charts on a phone the large one would open out of sight. */
function bringIntoView(box: HTMLElement | null): void {
  box?.scrollIntoView({ block: 'nearest' });
}

/** One of them, large, with what breaks a rule in words. */
function OneWeekday({ weekday: { long, points, chart, signals } }: { weekday: Weekday }) {
  if (!chart) return <p className="t13">{`Too few ${long}s in a row for limits.`}</p>;
  return (
    <ControlChart
      label={`${long}s`}
      points={points.map(({ date, occupied }) => ({ label: shortDay(date), value: occupied }))}
      mean={chart.mean.value}
      upper={chart.upper.value}
      lower={chart.lower.value}
      signals={signals}
      format={(value) => formatRounded(value, Number.isInteger(value) ? 0 : 2)}
    />
  );
}

function weekdaysOf(points: readonly SeriesPoint[], first: number): Weekday[] {
  const controls = weekdayControls(
    points.map(({ occupied }) => occupied),
    first,
  );
  return controls.map((control) => {
    const { short, long } = NAMES[control.weekday] ?? { short: '', long: '' };
    return {
      ...control,
      short,
      long,
      points: control.indices.flatMap((index) => points[index] ?? []),
      signals: (control.chart?.signals ?? []).map(({ index, signal }) => ({ index, rule: formatRule(signal, long) })),
    };
  });
}

function formatRule(signal: Signal, weekday: string): string {
  if (signal === 'beyond_limits') return 'beyond the limits';
  return signal === 'one_side' ? `8 ${weekday}s on one side of the mean` : `6 ${weekday}s rising or falling`;
}

function LimitsTable({ weekdays }: { weekdays: readonly Weekday[] }) {
  const exact = (line: 'mean' | 'lower' | 'upper' | 'meanRange' | 'rangeLimit') => ({
    isNumeric: true,
    cell: ({ chart }: Weekday) => formatDecimal(chart?.[line].text ?? null),
  });
  return (
    <Table
      caption="Limits of service days by weekday"
      isDense
      rows={weekdays}
      rowKey={({ short }) => short}
      columns={[
        { key: 'weekday', head: 'Weekday', cell: ({ long }) => long },
        { key: 'mean', head: 'Mean', ...exact('mean') },
        { key: 'lower', head: 'Lower limit', ...exact('lower') },
        { key: 'upper', head: 'Upper limit', ...exact('upper') },
        { key: 'range', head: 'Mean moving range', ...exact('meanRange') },
        { key: 'range-limit', head: 'Its limit', ...exact('rangeLimit') },
        { key: 'unusual', head: 'Unusual', cell: formatUnusual },
      ]}
    />
  );
}

function formatUnusual({ signals, points }: Weekday): string {
  return signals.map(({ index, rule }) => `${shortDay(points[index]?.date ?? '')} ${rule}`).join(', ');
}

interface Week {
  readonly monday: string;
  /** Of each weekday; null for one outside the period. */
  readonly days: readonly (SeriesPoint | null)[];
}

/** Every day of the pictures: a row a week, the newest first. */
function WeeksTable({ weekdays }: { weekdays: readonly Weekday[] }) {
  const rows = weeksOf(weekdays);
  return (
    <Table
      caption="Service days by week and weekday"
      isDense
      hasStickyHead
      rows={rows.toReversed()}
      rowKey={({ monday }) => monday}
      columns={[
        { key: 'week', head: 'Week from', cell: ({ monday }) => fullDay(monday) },
        ...weekdays.map(({ short }, index) => ({
          key: short,
          head: short,
          isNumeric: true,
          cell: ({ days }: Week) => {
            const day = days[index];
            return day ? formatCount(day.occupied) : NO_FIGURE;
          },
        })),
      ]}
    />
  );
}

function weeksOf(weekdays: readonly Weekday[]): Week[] {
  const weeks = new Map<string, (SeriesPoint | null)[]>();
  for (const { weekday, points } of weekdays) {
    for (const point of points) {
      const monday = addDays(point.date, -weekday);
      const days = weeks.get(monday) ?? weekdays.map(() => null);
      days[weekday] = point;
      weeks.set(monday, days);
    }
  }
  return [...weeks].map(([monday, days]) => ({ monday, days })).sort((a, b) => (a.monday < b.monday ? -1 : 1));
}
