import { createWrite } from '#/platform/http/write.ts';
import { newId } from '#/platform/new-id.ts';
import { jobAuthor } from '../author.ts';
import type { CensusDeps } from '../deps.ts';
import { purgeRejects } from '../feed/feed-queries.ts';
import { checkNightly } from './check-nightly.ts';
import type { ClockParts } from './clock-parts.ts';
import { purgeRequests } from './clock-queries.ts';
import { lockOldDays } from './lock-old-days.ts';
import { makeDays } from './make-days.ts';
import { raiseAlerts } from './raise-alerts.ts';
import { redactOldLog } from './redact-old-log.ts';
import { remindOwing } from './remind-owing.ts';

/** In this order: a day is made before its units are reminded, and said to be missing before it raises an alert. */
const DUTIES: Readonly<Record<string, (parts: ClockParts) => Promise<void>>> = {
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
  const parts: ClockParts = { ...deps, write, author: jobAuthor(requestId), now };
  for (const [duty, work] of Object.entries(DUTIES)) {
    try {
      await work(parts);
    } catch (error) {
      deps.log.error({ err: error, duty }, 'the clock of the census failed at a duty');
    }
  }
}
