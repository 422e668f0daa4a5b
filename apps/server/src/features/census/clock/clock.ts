import { sql } from 'kysely';
import { raiseAlerts } from '#/features/census/alerts/raise-alerts.ts';
import { remindOwing } from '#/features/census/alerts/remind-owing.ts';
import { jobAuthor } from '#/features/census/core/author.ts';
import type { ClockDeps } from '#/features/census/core/clock-job.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { lockOldDays } from '#/features/census/day/lock-old-days.ts';
import { redactOldLog } from '#/features/census/log/redact-old-log.ts';
import type { Database } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { createWrite } from '#/platform/http/writes/write.ts';
import { newId } from '#/platform/new-id.ts';
import { checkNightly } from './check-nightly.ts';
import { makeDays } from './make-days.ts';

/** Messages that could not be taken are kept so long; they name people. */
const REJECTS_DAYS = 30;

/** In this order: a day is made before its units are reminded, and said to be missing before it raises an alert. */
const DUTIES: Readonly<Record<string, (parts: ClockDeps) => Promise<void>>> = {
  'make the census dates': makeDays,
  'remind of owed reports': remindOwing,
  'lock old days': lockOldDays,
  'raise and clear alerts': raiseAlerts,
  'check the stored sums': checkNightly,
  'remove old texts of the log': redactOldLog,
  'forget old requests': ({ db, now }) => purgeRequests(db, now),
  'forget rejected messages': ({ db, now }) => purgeRejects(db, now),
};

/**
 * Does everything that the census does by the clock and that is due at `now`. Any number of processes may do it at the same
 * time, and a process may end in the middle of it: each thing is done once, whole or not at all. A duty that fails is logged
 * and tried again at the next tick; the others are done.
 */
export async function tick(deps: CensusDeps, now: Date): Promise<void> {
  const requestId = `clock ${newId()}`;
  const http = { ip: null, requestId, socketId: null };
  const write = createWrite({ actor: null, db: deps.db, log: deps.log, http }, deps.publish);
  const parts: ClockDeps = { ...deps, write, author: jobAuthor(requestId), now };
  for (const [duty, work] of Object.entries(DUTIES)) {
    try {
      await work(parts);
    } catch (error) {
      deps.log.error({ err: error, duty }, 'the clock of the census failed at a duty');
    }
  }
}

/** What the census does by itself. */
export interface CensusClock {
  /** Looks at once and then every minute. */
  start(): void;
  /** Begins nothing more and waits for what is under way. */
  stop(): Promise<void>;
}

const EVERY_MS = 60_000;

/** One tick after the other: a slow one is not overtaken by the next. */
export function createClock(deps: CensusDeps): CensusClock {
  let every: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | null = null;

  const look = () => {
    underWay ??= asSystem('clock', () => tick(deps, new Date()))
      .catch((error: unknown) => deps.log.error({ err: error }, 'the clock of the census stopped at an error'))
      .finally(() => {
        underWay = null;
      });
  };

  return {
    start() {
      if (every) return;
      every = setInterval(look, EVERY_MS).unref();
      look();
    },
    async stop() {
      clearInterval(every);
      await underWay;
    },
  };
}

/** Requests are remembered longer than a device can be away with its work. */
async function purgeRequests(db: Database, now: Date): Promise<void> {
  await sql`delete from census_requests where at < ${now}::timestamptz - interval '60 days'`.execute(db);
}

/** Removes rejected messages that are old. */
export async function purgeRejects(db: Database, now: Date): Promise<void> {
  await sql`delete from adt_rejects where received_at < ${now}::timestamptz - make_interval(days => ${REJECTS_DAYS})`.execute(
    db,
  );
}
