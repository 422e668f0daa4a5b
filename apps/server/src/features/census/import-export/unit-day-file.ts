import { toCounts } from '@wardline/census/balance.ts';
import { UNIT_DAY_COLUMNS, type UnitDayColumn } from '@wardline/contract/census/exchange.ts';
import type { EstimateRow } from '#/features/census/core/estimate-queries.ts';
import type { Cell } from '#/platform/files/csv.ts';
import type { OwedRow, UnitDayRow } from './exchange-queries.ts';

type Line = Readonly<Record<UnitDayColumn, Cell>>;

const EMPTY = Object.fromEntries(UNIT_DAY_COLUMNS.map((column) => [column, null])) as Record<UnitDayColumn, Cell>;

/** A stored unit-day as a line of a file. */
export function unitDayLine(facilityCode: string, row: UnitDayRow, estimate: number | null = null): Line {
  return {
    facility_code: facilityCode,
    unit_code: row.unit_code,
    census_date: row.census_date,
    population: row.population,
    opening: row.opening,
    ...toCounts(row),
    beds_staffed: row.beds_staffed,
    beds_blocked: row.beds_blocked,
    note: row.note,
    transfers_from: row.transfers_from || null,
    transfers_to: row.transfers_to || null,
    variance_reason: row.variance_reason,
    capacity_reason: row.capacity_reason,
    status: row.status,
    closing: row.closing,
    service_days: row.service_days,
    units_reported: row.units_submitted,
    units_expected: row.units_expected,
    estimate,
  };
}

/** A unit-day of which nothing is stored but what somebody took it to be: an import passes over it. */
export function estimateLine(facilityCode: string, row: EstimateRow): Line {
  return {
    ...EMPTY,
    facility_code: facilityCode,
    unit_code: row.unit_code,
    census_date: row.census_date,
    population: row.population,
    units_reported: row.units_submitted,
    units_expected: row.units_expected,
    estimate: row.census,
  };
}

/** A line to be filled in: a unit and a date that are owed, with what is known of them. */
export function templateLine(facilityCode: string, { unit_code, census_date, ...row }: OwedRow): Line {
  return {
    ...EMPTY,
    facility_code: facilityCode,
    unit_code,
    census_date,
    population: row.population,
    opening: row.opening,
    births: row.population === 'newborn' ? null : 0,
    beds_staffed: row.beds_staffed,
    beds_blocked: 0,
  };
}

/** A line as the cells of its columns. */
export function unitDayCells(line: Line): Cell[] {
  return UNIT_DAY_COLUMNS.map((column) => line[column]);
}
