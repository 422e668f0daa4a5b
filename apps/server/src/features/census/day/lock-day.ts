import { sql } from 'kysely';
import { appendLog, type LogAuthor } from '#/features/census/core/append-log.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Transaction } from '#/platform/http/context.ts';
import type { DayKey } from './facility-day-queries.ts';

/** Locks a signed day that is held by this transaction, with its reports, and says so in the log. */
export async function lockDay(
  tx: Transaction,
  day: DayKey,
  { author, at, reason = null }: { author: LogAuthor; at: Date; reason?: string | null },
): Promise<void> {
  const units = await storeLock(tx, day, { at, by: author.actorId });
  await appendLog(tx, {
    facilityNo: day.facilityNo,
    author,
    entries: [
      {
        action: 'facility_day.lock',
        date: day.date,
        before: { status: 'approved' },
        after: { status: 'locked', units },
        reason,
      },
    ],
  });
}

/** Locks the day and its approved reports, each with its row as it was. Returns how many reports that were. */
async function storeLock(
  tx: DatabaseTransaction,
  { facilityNo, date }: DayKey,
  { at, by }: { at: Date; by: string | null },
): Promise<number> {
  await sql`
    insert into unit_census_revisions (unit_no, census_date, population, version, row_data, changed_by, changed_at)
    select c.unit_no, c.census_date, c.population, c.version, to_jsonb(c), ${by}::uuid, ${at} from unit_census c
    where c.facility_no = ${facilityNo} and c.census_date = ${date} and c.status = 'approved'
    on conflict do nothing`.execute(tx);
  const locked = await sql`
    update unit_census set status = 'locked', version = version + 1
    where facility_no = ${facilityNo} and census_date = ${date} and status = 'approved' returning 1`.execute(tx);
  await sql`
    update facility_days set status = 'locked', locked_at = ${at}, version = version + 1
    where facility_no = ${facilityNo} and census_date = ${date}`.execute(tx);
  return locked.rows.length;
}
