import { appendLog, type LogAuthor } from '#/features/census/core/append-log.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { type DayKey, storeLock } from './facility-day-queries.ts';

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
