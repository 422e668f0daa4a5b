import type { CensusChanged } from '@wardline/contract/census/census.ts';
import { expect, it } from 'vitest';
import { isReportTouched } from './use-reports.ts';

const unit = '01970000-0000-7000-8000-000000000101';
const other = '01970000-0000-7000-8000-000000000102';
const shown = { unit, date: '2026-11-19', population: 'adult_and_child' as const };
const changed = (change: Partial<CensusChanged>) =>
  isReportTouched({ facility_id: unit, census_date: '2026-11-19', unit_id: null, ...change }, shown);

it('F-C8 a report is asked for again after earlier days of its unit, and after others only of its own date', () => {
  expect(isReportTouched(null, shown)).toBe(true);
  for (const unit_id of [unit, null]) {
    expect(changed({ unit_id })).toBe(true);
    expect(changed({ unit_id, census_date: '2026-10-01' })).toBe(true);
    expect(changed({ unit_id, census_date: '2026-11-20', to_date: '2026-11-30' })).toBe(false);
  }
  expect(changed({ unit_id: other })).toBe(true);
  expect(changed({ unit_id: other, census_date: '2026-11-18', to_date: '2026-11-20' })).toBe(true);
  expect(changed({ unit_id: other, census_date: '2026-10-01' })).toBe(false);
  expect(changed({ unit_id: other, census_date: '2026-11-20' })).toBe(false);
});
