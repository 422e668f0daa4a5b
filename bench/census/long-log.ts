import { addDays } from '@wardline/census/calendar.ts';
import { appendLog, type NewLogEntry } from '../../apps/server/src/features/census/core/append-log.ts';
import { findHead } from '../../apps/server/src/features/census/log/verification-queries.ts';
import type { Database } from '../../apps/server/src/platform/db/database.ts';

/** Whose log is made long. */
export const LOGGED_FACILITY = 1;
export const LOG_ENTRIES = 100_000;
const AT_ONCE = 5_000;

const author = {
  actorId: null,
  actorName: 'Wardline',
  actorTitle: null,
  source: 'job',
  requestId: null,
  ip: null,
  device: null,
} as const;

/** Appends to a facility's log, as the product does it, until it is so long. May be called again after an interruption. */
export async function makeLongLog(db: Database): Promise<void> {
  const { seq } = await findHead(db, LOGGED_FACILITY);
  for (let next = seq; next < LOG_ENTRIES; next += AT_ONCE) {
    const entries = Array.from({ length: Math.min(AT_ONCE, LOG_ENTRIES - next) }, (_, index) => entryOf(next + index));
    await db.transaction().execute((tx) => appendLog(tx, { facilityNo: LOGGED_FACILITY, author, entries }));
  }
}

function entryOf(n: number): NewLogEntry {
  return {
    action: 'unit_day.save',
    date: addDays('2016-01-01', n % 3_653),
    population: 'adult_and_child',
    before: { discharges: n % 7, counted: 20 },
    after: { discharges: (n % 7) + 1, counted: 19 },
    reasonCode: 'late_slip',
    reason: `A slip that came late, number ${n}`,
  };
}
