import { nilCounts } from '@wardline/census/balance.ts';
import type { UnitDayRow } from '#/features/census/import-export/exchange-queries.ts';

/** A reported unit-day as the database gives it: 24 + 6 − 8 = 22. */
export function unitDayRow(options: Partial<UnitDayRow> = {}): UnitDayRow {
  return {
    unit_no: 1,
    unit_code: 'MED 3A',
    safr_group: 'adult_med_surg',
    counts_in_census: true,
    counts_in_occupancy: true,
    census_date: '2026-11-19',
    population: 'adult_and_child',
    status: 'approved',
    opening: 24,
    ...nilCounts(22),
    admissions: 3,
    transfers_in: 3,
    discharges: 4,
    deaths: 1,
    transfers_out: 3,
    ad_same_day: 1,
    observation: 1,
    discharge_days: 31,
    closing: 22,
    service_days: 23,
    beds_staffed: 28,
    beds_blocked: 1,
    variance_reason: null,
    capacity_reason: null,
    note: null,
    transfers_from: '',
    transfers_to: '',
    units_submitted: 7,
    units_expected: 8,
    time_zone: 'Asia/Manila',
    ...options,
  };
}
