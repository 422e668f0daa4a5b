import type { ForecastSeries } from '@wardline/contract/census/board.ts';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { ChartCard } from '@wardline/ui/chart/chart-card.tsx';
import { TrendChart, type TrendSeries } from '@wardline/ui/chart/trend-chart.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { Table } from '@wardline/ui/table/table.tsx';
import { TrendingUp } from 'lucide-react';
import { useState } from 'react';
import { formatCount, NO_FIGURE } from '#/features/census/core/format-figure.ts';
import { fullDay, shortDay } from '#/features/census/core/period/period.ts';
import { formatAbsence, formatCoverage, formatMiss, formatShortage, formatWho, onePlace } from './forecast-labels.ts';
import type { Forecast } from './use-board.ts';

type ForecastPoint = ForecastSeries['points'][number];

/** How much of the past stands before the week to come. */
const pastDays = 21;

/** What is expected of the coming week, of the facility or of one unit, and how far to trust it. */
export function ForecastPanel({ forecast }: { forecast: Forecast }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const series = forecast.series.find((one) => keyOf(one) === chosen) ?? forecast.series[0];
  if (!series) return null;
  const choice = forecast.series.length > 1 && (
    <Select
      label="Forecast of"
      isLabelHidden
      inputSize="sm"
      value={keyOf(series)}
      onValueChange={setChosen}
      options={forecast.series.map((one) => ({ value: keyOf(one), label: nameOf(one) }))}
    />
  );
  if (series.method === null) {
    return (
      <Card>
        <CardHead level={2} title="Next 7 days" aside={choice} />
        <EmptyState icon={TrendingUp} level={3} title={`No forecast for ${nameOf(series)}`}>
          {formatAbsence(series.absent_because)}
        </EmptyState>
      </Card>
    );
  }
  const outside = forecast.series.filter((one) => one.population === series.population && !one.counts_in_occupancy);
  const who = formatWho(series, outside);
  const shortage = formatShortage(series, outside);
  return (
    <ChartCard
      title="Next 7 days"
      note={who === null ? 'Patients' : 'Patients in units with beds'}
      aside={choice}
      table={<ForecastTable series={series} />}
    >
      {shortage !== null && (
        <Banner tone="warning" announce="none" title={shortage.title}>
          {shortage.text}
        </Banner>
      )}
      <ForecastChart series={series} />
      <p className="t13 muted">
        {[
          who,
          formatMiss(series),
          formatCoverage(series),
          forecast.series.length > 1 && 'The facility and its units are forecast separately, so they may not add up.',
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
    </ChartCard>
  );
}

function ForecastChart({ series: { history, points } }: { series: ForecastSeries }) {
  const past = history.slice(-pastDays);
  const [gap, nothing] = [past.map(() => null), points.map(() => null)];
  const lines: TrendSeries[] = [
    { key: 'low', label: 'Low', kind: 'band-low', values: [...gap, ...points.map(({ low }) => low)] },
    { key: 'high', label: 'High', kind: 'band-high', values: [...gap, ...points.map(({ high }) => high)] },
    { key: 'past', label: 'Counted', kind: 'line', values: [...past.map(({ present }) => present), ...nothing] },
    { key: 'next', label: 'Expected', kind: 'mean', values: [...gap, ...points.map(({ value }) => value)] },
  ];
  const beds = [...past, ...points].map((day) => day.beds);
  // Each day's own: a bed that is closed, or will be, shows as a step.
  if (beds.some((count) => count !== null)) {
    lines.push({ key: 'beds', label: 'Staffed beds', kind: 'step', values: beds });
  }
  return (
    <TrendChart
      days={[...past, ...points].map(({ census_date }) => census_date)}
      dayName={shortDay}
      missing={[...past.map(({ present }) => present === null), ...points.map(() => false)]}
      series={lines}
      format={(value) => formatCount(Math.round(value))}
    />
  );
}

function ForecastTable({ series: { points } }: { series: ForecastSeries }) {
  const hasOutside = points.some(({ outside }) => outside !== null);
  return (
    <Table
      caption="Expected patients by day"
      isDense
      rows={points}
      rowKey={({ census_date }) => census_date}
      columns={[
        { key: 'date', head: 'Census date', cell: ({ census_date }) => fullDay(census_date) },
        { key: 'value', head: 'Expected', isNumeric: true, cell: ({ value }) => onePlace(value) },
        { key: 'low', head: 'At least', isNumeric: true, cell: ({ low }) => onePlace(low) },
        { key: 'high', head: 'At most', isNumeric: true, cell: ({ high }) => onePlace(high) },
        ...(hasOutside
          ? [
              {
                key: 'outside',
                head: 'Without a bed',
                isNumeric: true,
                cell: ({ outside }: ForecastPoint) => (outside === null ? NO_FIGURE : onePlace(outside)),
              },
            ]
          : []),
        { key: 'beds', head: 'Staffed beds', isNumeric: true, cell: ({ beds }) => formatCount(beds) },
      ]}
    />
  );
}

function keyOf({ unit_id, population: name }: ForecastSeries): string {
  return `${unit_id ?? 'facility'}-${name}`;
}

function nameOf({ unit_code, population: name }: ForecastSeries): string {
  const place = unit_code ?? 'Facility';
  return name === 'newborn' ? `${place}, newborn` : place;
}
