import type { BoardUnit, ForecastSeries } from '@wardline/contract/census/board.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { Heatmap } from '#/features/census/core/changes/summary-queries.ts';
import { stBrigid } from '#/testing/fake-chats.ts';
import type { Board, Forecast } from '../use-board.ts';

/** The night of the drawn screens: seven of eight units are in, the ICU is late. */

const id = (number: number) => `01970000-0000-7000-8000-0000000001${String(number).padStart(2, '0')}`;

export const facility: Facility = {
  ...stBrigid,
  permissions: ['census.view', 'census.report_units', 'census.report_summary'],
};
/** 08:42 of the next morning. */
export const now = Date.parse('2026-11-20T08:42:00Z');

interface Sketch {
  readonly code: string;
  readonly occupied: number | null;
  readonly staffed: number;
  readonly blocked?: number;
}

export function unit(
  number: number,
  { code, occupied, staffed, blocked = 0 }: Sketch,
  more: Partial<BoardUnit> = {},
): BoardUnit {
  const isIn = occupied !== null;
  return {
    unit_id: id(number),
    unit_code: code,
    unit_name: `Unit ${code}`,
    population: 'adult_and_child',
    counts_in_occupancy: true,
    status: isIn ? 'approved' : null,
    conditions: [],
    occupied,
    basis: isIn ? 'report' : null,
    counted_at: isIn ? '2026-11-20T00:00:00Z' : null,
    beds: { licensed: staffed, physical: staffed, staffed, surge: 0, blocked },
    transfers_in: isIn ? 1 : null,
    transfers_out: isIn ? 2 : null,
    is_on_time: isIn ? true : null,
    last_known: null,
    people: [],
    discussion_chat_id: null,
    ...more,
  };
}

export const grace = { id: id(90), name: 'Grace Mbeki' };
export const icu = unit(
  3,
  { code: 'ICU', occupied: null, staffed: 10 },
  { conditions: ['missing'], last_known: { census_date: '2026-11-18', present: 9 }, people: [grace] },
);
export const units: readonly BoardUnit[] = [
  unit(1, { code: 'MED 3A', occupied: 22, staffed: 28, blocked: 1 }),
  unit(2, { code: 'SUR 2B', occupied: 19, staffed: 24, blocked: 2 }, { status: 'submitted' }),
  icu,
  unit(4, { code: 'MAT', occupied: 10, staffed: 16 }),
  unit(5, { code: 'PED', occupied: 9, staffed: 12 }, { conditions: ['late'], is_on_time: false }),
  unit(6, { code: 'ONC', occupied: 17, staffed: 18 }),
  unit(7, { code: 'NUR', occupied: 9, staffed: 14 }, { population: 'newborn' }),
  unit(8, { code: 'ED', occupied: 6, staffed: 0 }, { counts_in_occupancy: false }),
];

export const board: Board = {
  facility_id: facility.id,
  census_date: '2026-11-19',
  time_zone: 'UTC',
  census_at: '2026-11-20T00:00:00Z',
  due_at: '2026-11-20T01:00:00Z',
  bands: { target: 85, high: 92, full: 100 },
  units: [...units],
  alerts: [],
};

/** Two units over so many days up to the board's date; the second misses the day before the last. */
export function heatmap(days: number, from: string): Heatmap {
  const row = (number: number, code: string, present: number): Heatmap['units'][number] => ({
    unit_id: id(number),
    unit_code: code,
    unit_name: `Unit ${code}`,
    population: 'adult_and_child',
    counts_in_occupancy: true,
    service_days: Array.from({ length: days }, () => present),
    present: Array.from({ length: days }, () => present),
    bed_days: Array.from({ length: days }, () => 28),
    marks: 'l'.repeat(days),
    restated: [],
    late: [],
  });
  const second = row(2, 'SUR 2B', 20);
  const miss = days - 2;
  for (const list of [second.service_days, second.present, second.bed_days]) list[miss] = null;
  const marks = `${'l'.repeat(miss)}ms`;
  return {
    facility_id: facility.id,
    from,
    to: board.census_date,
    denominator: 'staffed',
    bands: board.bands,
    units: [row(1, 'MED 3A', 22), { ...second, marks, late: [days - 1], restated: [0] }],
  };
}

export const series: ForecastSeries = {
  unit_id: null,
  unit_code: null,
  population: 'adult_and_child',
  counts_in_occupancy: true,
  method: 'holt_winters',
  absent_because: null,
  history: Array.from({ length: 28 }, (_, index) => ({
    census_date: new Date(Date.UTC(2026, 9, 23 + index)).toISOString().slice(0, 10),
    present: 80 + (index % 7),
    beds: 98,
  })),
  points: [
    { census_date: '2026-11-20', value: 84.2, low: 80, high: 88, beds: 98, outside: 6 },
    { census_date: '2026-11-21', value: 99.4, low: 94, high: 103.5, beds: 94, outside: 6.5 },
  ],
  mae: 1.8,
  baseline_mae: 2.3,
  mase: 0.78,
  coverage: 0.82,
  interval: 0.9,
  test_days: 56,
};
/** Who waits without a bed, who is not in the number of the facility. */
export const edSeries: ForecastSeries = {
  ...series,
  unit_id: id(8),
  unit_code: 'ED',
  counts_in_occupancy: false,
  history: series.history.map((day) => ({ ...day, present: 6, beds: null })),
  points: series.points.map(({ outside, ...day }) => ({
    ...day,
    value: outside ?? 0,
    low: 5,
    high: 8,
    beds: null,
    outside: null,
  })),
};
export const forecast: Forecast = { facility_id: facility.id, from: '2026-11-20', series: [series, edSeries] };
