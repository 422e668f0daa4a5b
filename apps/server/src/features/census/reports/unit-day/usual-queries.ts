import {
  type UnusualCount,
  USUAL_WEEKS,
  type UsualRange,
  unusualCounts,
  usualRange,
} from '@wardline/census/forecast/usual-range.ts';
import { isHandedIn } from '@wardline/census/states.ts';
import { SUMMED_FIELDS } from '@wardline/contract/census/census.ts';
import type { UnitDay, UnitDayEntry } from '@wardline/contract/census/unit.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Report, UnitDayKey } from './unit-day-queries.ts';
import type { UnitDayState } from './unit-day-state.ts';

/**
 * What each count of the unit usually is on the weekday of the date, from its reports of the half year before. The dates are
 * named one by one, so that each is one look into the primary key.
 */
export async function findUsualRanges(
  db: Database | DatabaseTransaction,
  { unitNo, date, population }: UnitDayKey,
): Promise<NonNullable<UnitDay['usual']>> {
  const reports = await db
    .selectFrom('unit_census')
    .select(SUMMED_FIELDS)
    .where('unit_no', '=', unitNo)
    .where('population', '=', population)
    .where(sql<boolean>`census_date = any(array(
      select ${date}::date - 7 * week from generate_series(1, ${USUAL_WEEKS}::int) as week))`)
    .where('status', 'in', ['submitted', 'approved', 'locked', 'amending'])
    .execute();
  const ranges = SUMMED_FIELDS.map((field): [string, UsualRange | null] => [
    field,
    usualRange(reports.flatMap((report) => report[field] ?? [])),
  ]);
  return Object.fromEntries(ranges) as NonNullable<UnitDay['usual']>;
}

/** Keeps what a person who hands counts in was asked about and confirmed, with what was usual; or that nothing was asked. */
export async function keepConfirmed(
  tx: DatabaseTransaction,
  { key, report }: Pick<UnitDayState, 'key' | 'report'>,
  { counts, confirmed = [] }: Pick<UnitDayEntry, 'counts' | 'confirmed'>,
): Promise<void> {
  if (confirmed.length === 0 && !report?.confirmed) return;
  const unusual = confirmed.length === 0 ? [] : unusualCounts(counts, await findUsualRanges(tx, key));
  const kept = unusual.filter(({ field }) => confirmed.includes(field));
  await tx
    .updateTable('unit_census')
    .set({ confirmed: kept.length === 0 ? null : JSON.stringify(kept) })
    .where('unit_no', '=', key.unitNo)
    .where('census_date', '=', key.date)
    .where('population', '=', key.population)
    .execute();
}

/** What was confirmed of the counts as they are now; a draft has been handed in by nobody. */
export function standingConfirmed(report: Report | null): UnusualCount[] {
  if (!report?.confirmed || !isHandedIn(report.status)) return [];
  return report.confirmed.filter(({ field, count }) => report[field] === count);
}
