import type { CensusClass, UnitDayStatus } from '@wardline/contract/census.ts';

/** A stored unit-day as a file shows it. */
export interface UnitDayRow {
  readonly unit_no: number;
  readonly unit_code: string;
  readonly safr_group: string | null;
  readonly counts_in_census: boolean;
  readonly counts_in_occupancy: boolean;
  readonly census_date: string;
  readonly class: CensusClass;
  readonly status: UnitDayStatus;
  readonly opening: number | null;
  readonly admissions: number | null;
  readonly births: number | null;
  readonly transfers_in: number | null;
  readonly discharges: number | null;
  readonly deaths: number | null;
  readonly deaths_u48: number | null;
  readonly transfers_out: number | null;
  readonly ad_same_day: number | null;
  readonly on_leave: number | null;
  readonly observation: number | null;
  readonly discharge_days: number | null;
  readonly counted: number | null;
  readonly closing: number | null;
  readonly service_days: number | null;
  readonly beds_staffed: number;
  readonly beds_blocked: number;
  readonly variance_reason: string | null;
  readonly capacity_reason: string | null;
  readonly note: string | null;
  /** 'ICU:1 ED:2' */
  readonly transfers_from: string;
  readonly transfers_to: string;
  readonly units_submitted: number;
  readonly units_expected: number;
  /** By which the facility's clocks went on the date. */
  readonly time_zone: string;
}

/** A report that a unit owes for a date, with what is known before it is written. */
export interface OwedRow {
  readonly unit_code: string;
  readonly census_date: string;
  readonly class: CensusClass;
  readonly opening: number | null;
  readonly beds_staffed: number | null;
}
