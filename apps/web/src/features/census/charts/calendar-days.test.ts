import type { getCensusHeatmap } from '@wardline/contract/census/board.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { expect, it } from 'vitest';
import { facilityDays, unitDays } from './calendar-days.ts';

type Heat = ReplyOf<typeof getCensusHeatmap>;

function unit(unit_code: string, marks: string, more: Partial<Heat['units'][number]> = {}): Heat['units'][number] {
  const none = [...marks].map(() => null);
  return {
    unit_id: unit_code,
    unit_code,
    unit_name: unit_code,
    population: 'adult_and_child',
    counts_in_occupancy: true,
    service_days: none,
    present: none,
    bed_days: none,
    marks,
    restated: [],
    late: [],
    ...more,
  };
}

const ruths = { index: 3, census: 21, by: 'Ruth Calloway', reason: 'phoned the ward' };

it('CEN-9 CEN-5 an estimated day has a state of its own, and its row says that the report is not in, and whose estimate stands', () => {
  const days = unitDays(unit('MED', '-slea', { estimates: [ruths], late: [4] }), '2026-11-01');
  expect(days.map(({ date, state, told }) => [date.slice(8), state, told])).toEqual([
    ['01', 'none', 'Not expected'],
    ['02', 'in', 'Submitted'],
    ['03', 'done', 'Locked'],
    ['04', 'estimate', 'Not in, estimate 21 by Ruth Calloway: phoned the ward'],
    ['05', 'late', 'Late'],
  ]);
});

it('CEN-9 a facility’s day says whether it is signed, else what is worst of its reports, and which are not in', () => {
  const days = facilityDays({
    facility_id: 'f',
    from: '2026-11-01',
    to: '2026-11-08',
    denominator: 'staffed',
    bands: { target: 85, high: 92, full: 100 },
    days: 'lsroooooo',
    units: [unit('MED', 'laaaeea-', { late: [3] }), unit('SUR', 'laaasms-'), unit('ICU', '--------')],
  });
  expect(days.map(({ word, told }) => [word, told])).toEqual([
    ['Locked', 'Locked'],
    ['Signed', 'Signed'],
    ['Reopened', 'Reopened'],
    ['Late', 'Late'],
    ['Estimated', 'Estimated: MED not in'],
    ['Incomplete', 'Incomplete: MED, SUR not in'],
    ['All in', 'All in'],
    ['Not expected', 'Not expected'],
  ]);
});
