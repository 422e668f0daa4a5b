import { balanceOf } from '@wardline/census/balance.ts';
import { addDays } from '@wardline/census/calendar.ts';
import type { ClockParts } from '#/features/census/core/clock-job.ts';
import {
  type BalanceRow,
  type Difference,
  type FacilityToCheck,
  findBalances,
  findWrongDays,
  findWrongFacilityMonths,
  findWrongOpenings,
  findWrongTransfers,
  findWrongUnitMonths,
} from './check-queries.ts';

/** Where what is stored is not what it should be, by what was compared. */
export type Differences = Readonly<Record<string, readonly Difference[]>>;

/** Older arithmetic does not move: its columns are generated when a row is written. */
const ARITHMETIC_DAYS = 400;

/**
 * Compares the module's arithmetic with the columns that the database computed, the transfers with what was said of each
 * partner, the chain of openings, and every sum that is kept with the reports. Each comparison is one statement, so that no
 * change under way looks like an error. Only what differs is in the answer.
 */
export async function checkSums({ db }: Pick<ClockParts, 'db'>, facility: FacilityToCheck): Promise<Differences> {
  const { facility_no: facilityNo, newest } = facility;
  const balances = await findBalances(db, { facilityNo, from: addDays(newest, -ARITHMETIC_DAYS) });
  const found: Record<string, readonly Difference[]> = {
    arithmetic: balances.filter(isMiscomputed),
    transfers: await findWrongTransfers(db, facilityNo),
    openings: await findWrongOpenings(db, facilityNo),
    unit_months: await findWrongUnitMonths(db, facilityNo),
    facility_months: await findWrongFacilityMonths(db, facilityNo),
    facility_days: await findWrongDays(db, facilityNo),
  };
  return Object.fromEntries(Object.entries(found).filter(([, places]) => places.length > 0));
}

function isMiscomputed(row: BalanceRow): boolean {
  const { closing, service_days } = balanceOf(row);
  return closing !== row.closing || service_days !== row.service_days;
}
