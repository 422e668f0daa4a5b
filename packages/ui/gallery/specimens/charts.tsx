import { formatDay } from '@wardline/format/dates.ts';
import { formatPercent } from '@wardline/format/numbers.ts';
import { weekdayNames } from '@wardline/format/periods.ts';
import { Check, Clock, Lock, OctagonAlert, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Card } from '#/card/card.tsx';
import { ChartCard } from '#/chart/chart-card.tsx';
import { ControlChart } from '#/chart/control-chart.tsx';
import { ControlMultiples } from '#/chart/control-multiples.tsx';
import { HeatLegend } from '#/chart/heat-legend.tsx';
import { HeatMap } from '#/chart/heat-map.tsx';
import { MeasurementChart } from '#/chart/measurement-chart.tsx';
import { MonthCalendar } from '#/chart/month-calendar.tsx';
import { OccupancyBar } from '#/chart/occupancy-bar.tsx';
import { TransferMatrix } from '#/chart/transfer-matrix.tsx';
import { TrendChart } from '#/chart/trend-chart.tsx';
import { Waterfall, type WaterfallStep } from '#/chart/waterfall.tsx';
import { Table } from '#/table/table.tsx';
import type { Specimen } from '../specimen.ts';

const dayName = (day: string) => formatDay(day, 'dmy', day);

const BANDS = { target: 85, high: 92, full: 100 };
const DAYS = Array.from({ length: 31 }, (_, index) =>
  new Date(Date.UTC(2026, 9, 20 + index)).toISOString().slice(0, 10),
);
const wave = (index: number, seed: number) => Math.round(((index * 7 + seed * 13) % 17) - 8);
const OCCUPIED = DAYS.map((_, index) => (index === 9 || index === 30 ? null : 88 + wave(index, 2)));

const MONTH = ['MED 3A', 'SUR 2B', 'ICU', 'MAT', 'ONC'].map((label, row) => ({
  id: label,
  label,
  cells: DAYS.map((day, index) => {
    const value = 58 + row * 9 + 2 * wave(index, row);
    const isMissing = row === 2 && index === 30;
    return {
      value: isMissing ? null : value,
      text: isMissing ? '' : `${value}`,
      mark: isMissing ? ('missing' as const) : row === 0 && index === 28 ? ('restated' as const) : ('none' as const),
      title: `${label}, ${day}: ${isMissing ? 'missing' : formatPercent(value)}`,
    };
  }),
}));
const COLUMNS = DAYS.map((day) => {
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
  return {
    key: day,
    top: 'SMTWTFS'[weekday] ?? '',
    bottom: `${Number(day.slice(8))}`,
    isWeekend: weekday % 6 === 0,
  };
});

function Whole() {
  return <Heat title="Occupancy, unit by day" />;
}

function Heat({ title }: { title: string }) {
  return (
    <ChartCard
      title={title}
      note="% of staffed beds, 20 Oct to 19 Nov"
      table={
        <Table
          caption={title}
          columns={[
            { key: 'unit', head: 'Unit', cell: ({ label }) => label },
            ...COLUMNS.map(({ key }, index) => ({
              key,
              head: key.slice(5),
              cell: ({ cells }: (typeof MONTH)[number]) => cells[index]?.text || '–',
              isNumeric: true,
            })),
          ]}
          rows={MONTH}
          rowKey={({ id }) => id}
          isDense
        />
      }
    >
      <HeatMap label={title} rows={MONTH} columns={COLUMNS} bands={BANDS} onOpen={() => undefined} />
    </ChartCard>
  );
}

function Narrow() {
  return (
    <div className="g-limit">
      <Heat title="Occupancy in a narrow place" />
    </div>
  );
}

function Legend() {
  return <HeatLegend bands={{ target: 80, high: 90, full: 100 }} ofWhat="bassinets" />;
}

const STEPS: readonly WaterfallStep[] = [
  { key: 'opening', label: 'Opening', value: 24, kind: 'total' },
  { key: 'admissions', label: 'Admissions', value: 3, kind: 'in' },
  { key: 'in', label: 'Transfers in', value: 3, kind: 'in' },
  { key: 'discharges', label: 'Discharges', value: 4, kind: 'out' },
  { key: 'deaths', label: 'Deaths', value: 1, kind: 'out' },
  { key: 'out', label: 'Transfers out', value: 3, kind: 'out' },
  { key: 'closing', label: 'Closing', value: 22, kind: 'total' },
];

function Day() {
  return (
    <div className="g-grid">
      <Card hasPadding>
        <Waterfall steps={STEPS} unitLabel="patients" />
      </Card>
      <Card hasPadding>
        <Waterfall
          steps={STEPS.map((step) => (step.key === 'discharges' ? { ...step, value: null } : step))}
          unitLabel="patients"
        />
      </Card>
    </div>
  );
}

function Bars() {
  return (
    <div className="g-limit stack stack-4">
      <OccupancyBar occupied={19} blocked={2} staffed={24} label="19 of 24 staffed beds occupied, 2 blocked, 3 free" />
      <OccupancyBar occupied={24} blocked={0} staffed={24} label="24 of 24 staffed beds occupied" />
      <OccupancyBar occupied={27} blocked={0} staffed={24} label="27 of 24 staffed beds occupied, 3 over" />
      <OccupancyBar occupied={0} blocked={0} staffed={0} label="No staffed beds" />
      <OccupancyBar occupied={null} blocked={0} staffed={10} label="Missing" />
    </div>
  );
}

function Trend() {
  return (
    <Card hasPadding>
      <TrendChart
        dayName={dayName}
        days={DAYS}
        series={[
          { key: 'occupied', label: 'Occupied', values: OCCUPIED, kind: 'line' },
          { key: 'mean', label: '7-day mean', values: OCCUPIED.map((_, at) => (at < 6 ? null : 86)), kind: 'mean' },
          { key: 'beds', label: 'Staffed beds', values: DAYS.map((_, at) => (at < 20 ? 112 : 108)), kind: 'step' },
        ]}
        missing={OCCUPIED.map((value) => value === null)}
        format={(value) => `${value}`}
      />
    </Card>
  );
}

function Band() {
  return (
    <Card hasPadding>
      <TrendChart
        dayName={dayName}
        days={DAYS}
        series={[
          { key: 'low', label: 'Low', values: DAYS.map((_, at) => (at < 23 ? null : 80)), kind: 'band-low' },
          { key: 'high', label: 'High', values: DAYS.map((_, at) => (at < 23 ? null : 96)), kind: 'band-high' },
          { key: 'past', label: 'Counted', values: OCCUPIED.map((one, at) => (at < 23 ? one : null)), kind: 'line' },
          { key: 'next', label: 'Expected', values: DAYS.map((_, at) => (at < 23 ? null : 88)), kind: 'mean' },
        ]}
        missing={DAYS.map(() => false)}
        format={(value) => `${value}`}
      />
    </Card>
  );
}

function Control() {
  return (
    <Card hasPadding>
      <ControlChart
        points={DAYS.map((day, index) => ({
          label: day.slice(5),
          value: index === 20 ? 104 : (OCCUPIED[index] ?? null),
        }))}
        mean={87.4}
        upper={101.2}
        lower={73.6}
        capacity={112}
        signals={[{ index: 20, rule: 'beyond the upper limit' }]}
        format={(value) => `${Math.round(value * 10) / 10}`}
      />
    </Card>
  );
}

function Measurements() {
  const taken = [5.1, 5.9, 6.8, 5.6, 4.8].map((value, index) => ({
    ...{ at: Date.UTC(2026, 10, 16 + index, 6 + index * 5), value, isMarked: value > 6.5 },
  }));
  return (
    <Card hasPadding>
      <MeasurementChart
        label="Potassium, 5 values, the last 4.8"
        points={taken}
        band={{ low: 3.5, high: 5.3 }}
        format={(value) => `${value}`}
        timeName={(at) => new Date(at).toISOString().slice(5, 10)}
      />
    </Card>
  );
}

const WEEKDAYS = weekdayNames().map(({ short }) => short);

function Multiples() {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <Card hasPadding>
      <ControlMultiples
        items={WEEKDAYS.map((title, weekday) => {
          const mean = weekday > 4 ? 81 : 90 + weekday;
          const points = Array.from({ length: 12 }, (_, week) => ({
            label: `Week ${week + 1}`,
            value:
              weekday === 2 && week === 8 ? 108 : weekday === 5 && week === 4 ? null : mean + (wave(week, weekday) % 5),
          }));
          const signals = weekday === 2 ? [{ index: 8, rule: 'beyond the limits' }] : [];
          // The last has too few values for limits.
          const limits = weekday === 6 ? null : { mean, upper: mean + 11, lower: mean - 11 };
          return { key: title, title, points: weekday === 6 ? points.slice(0, 1) : points, limits, signals };
        })}
        format={(value) => `${Math.round(value)}`}
        openKey={open}
        onOpen={setOpen}
      />
    </Card>
  );
}

const STATES = {
  locked: { state: 'done', glyph: Lock, word: 'Locked' },
  submitted: { state: 'in', glyph: Check, word: 'Submitted' },
  late: { state: 'late', glyph: TriangleAlert, word: 'Late' },
  missing: { state: 'missing', glyph: OctagonAlert, word: 'Missing' },
  due: { state: 'open', glyph: Clock, word: 'Due' },
} as const;

function Calendar() {
  return (
    <Card hasPadding>
      <MonthCalendar
        dayName={dayName}
        label="Reports of MED 3A"
        days={DAYS.map((date, index) => ({
          date,
          ...(index === 30
            ? STATES.due
            : index === 14
              ? STATES.missing
              : index === 22
                ? STATES.late
                : index > 24
                  ? STATES.submitted
                  : STATES.locked),
        }))}
        onOpen={() => undefined}
      />
    </Card>
  );
}

const UNITS = ['ED', 'MED', 'SUR', 'ICU', 'PED', 'ONC'].map((label) => ({ id: label, label }));

function Matrix() {
  return (
    <Card hasPadding>
      <TransferMatrix
        units={UNITS}
        cells={[
          { from: 'ED', to: 'MED', out: 2, in: 2, isMissing: false },
          { from: 'ED', to: 'ICU', out: 1, in: null, isMissing: true },
          { from: 'SUR', to: 'ONC', out: 2, in: 1, isMissing: false },
          { from: 'MED', to: 'SUR', out: 1, in: 1, isMissing: false },
        ]}
        onOpen={() => undefined}
      />
    </Card>
  );
}

export const specimen: Specimen = {
  id: 'charts',
  title: 'Charts',
  group: 'Data',
  cases: [
    { name: 'Heat map with its table twin (T)', Show: Whole },
    { name: 'The same where it is narrow', Show: Narrow },
    { name: 'Scale with other bands', Show: Legend },
    { name: 'Waterfall, whole and with a number not given', Show: Day },
    { name: 'Bed bars: room, full, over, no beds, not counted', Show: Bars },
    { name: 'Trend with mean and a denominator that changes', Show: Trend },
    { name: 'Forecast with its interval', Show: Band },
    { name: 'Control chart with capacity', Show: Control },
    { name: 'Measurements in time over what is normal', Show: Measurements },
    { name: 'Small control charts on one scale', Show: Multiples },
    { name: 'Calendar of states', Show: Calendar },
    { name: 'Matrix of transfers', Show: Matrix },
  ],
};
