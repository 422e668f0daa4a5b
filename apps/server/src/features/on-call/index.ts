// Who is on call and who is there: the roles of a facility, the shifts of each, taking over and handing over; what people say
// of their own duty, and about when they were last seen.
import type { Database } from '#/platform/db/database.ts';
import type { Route } from '#/platform/http/route.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import type { OwnDataList } from '#/platform/own-data.ts';
import { FREED_JOB, mailFreedShifts, tellPlanners } from './free-shifts.ts';
import { ownData } from './own-data.ts';
import { purgePresence } from './presence-queries.ts';
import { routes } from './routes.ts';

export interface OnCallFeature {
  readonly routes: readonly Route[];
  readonly ownData: readonly OwnDataList[];
  readonly jobHandlers: Readonly<Record<string, JobHandler>>;
  /** Before an account ends: has who plans told of the shifts that it frees. */
  readonly tellPlanners: typeof tellPlanners;
  purge(): Promise<void>;
}

interface OnCallDeps {
  readonly db: Database;
  readonly mailer: Mailer;
  readonly productName: string;
  readonly publicUrl: () => string;
}

export function onCallFeature(deps: OnCallDeps): OnCallFeature {
  return {
    routes,
    ownData,
    jobHandlers: { [FREED_JOB]: mailFreedShifts(deps) },
    tellPlanners,
    purge: () => purgePresence(deps.db),
  };
}
