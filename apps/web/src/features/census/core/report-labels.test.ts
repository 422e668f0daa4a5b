import { nilCounts } from '@wardline/census/balance.ts';
import type { OwedReport } from '@wardline/contract/census/unit.ts';
import { expect, it } from 'vitest';
import { fakeDay, UNIT_ID } from '#/features/census/report/testing/fake-report.ts';
import { readPlace } from '#/features/census/report/unit-report-screen.tsx';
import { arithmetic, countedWhen, formatOwed, sumOf } from './report-labels.ts';

const at = (time: string) => Date.parse(`2026-11-20T${time}:00Z`);

it.each<[string, Partial<OwedReport>, string]>([
  ['23:00', {}, 'missing, 22 h late'],
  ['00:38', {}, 'not in yet, due 01:00, 22 min left'],
  ['00:38', { version: 2 }, 'begun, due 01:00, 22 min left'],
  ['01:00', {}, 'missing, 0 min late'],
  [
    '00:10',
    { status: 'returned', last_reason: 'Two discharges are missing.' },
    'returned: Two discharges are missing.',
  ],
  ['00:10', { status: 'amending' }, 'being corrected'],
])('CEN-1 an owed report says how urgent it is: at %s %j is %s', (time, change, text) => {
  expect(formatOwed({ ...fakeDay(), ...change }, at(time))).toBe(text);
});

it('CEN-1 before the census hour a report says when to count', () => {
  expect(formatOwed(fakeDay(), Date.parse('2026-11-19T22:00:00Z'))).toBe('count at midnight');
  const morning = { ...fakeDay(), census_at: '2026-11-19T07:00:00Z' };
  expect(formatOwed(morning, Date.parse('2026-11-19T05:00:00Z'))).toBe('count at 07:00');
});

it('CEN-1 F-U9 a count at midnight is told as the end of its day, any other with its hour', () => {
  expect(countedWhen(fakeDay(), 'Thu 19 Nov')).toBe('end of Thu 19 Nov');
  const morning = { ...fakeDay(), census_at: '2026-11-19T07:00:00Z' };
  expect(countedWhen(morning, 'Thu 19 Nov')).toBe('Thu 19 Nov, counted at 07:00');
});

it('CEN-1 the closing follows from what is typed and is not told before all of it is given', () => {
  const counts = { ...nilCounts(), admissions: 3, transfers_in: 3, discharges: 4, deaths: 1, transfers_out: 3 };
  const sum = sumOf(24, counts);
  expect([arithmetic(sum), sum.closing]).toEqual(['24 + 6 − 8', 22]);
  expect(sumOf(24, { ...counts, deaths: null })).toEqual({ opening: 24, inflow: 6, outflow: 7, closing: null });
});

it('CEN-1 an address names a report, and one that cannot be named is none', () => {
  const place = { unit: UNIT_ID, date: '2026-11-19', population: 'newborn' };
  expect(readPlace(place)).toEqual(place);
  // As links of earlier builds say it.
  expect(readPlace({ unit: UNIT_ID, date: '2026-11-19', class: 'newborn' })).toEqual(place);
  expect(readPlace({ unit: UNIT_ID, date: '2026-11-19', class: 'adult_child' })).toMatchObject({
    population: 'adult_and_child',
  });
  expect(readPlace({ unit: UNIT_ID, date: '2026-11-19' })).toMatchObject({ population: 'adult_and_child' });
  expect([readPlace({}), readPlace({ ...place, unit: 'x' }), readPlace({ ...place, population: 'cats' })]).toEqual([
    null,
    null,
    null,
  ]);
});
