// What whoever runs the installation has to know of it: warnings, health, the queue of jobs, whether mail goes out. Nothing here
// reads what belongs to a facility.
import * as contract from '@wardline/contract/facilities/system.ts';
import type { Database } from '#/platform/db/database.ts';
import type { CreateCounter } from '#/platform/http/rate-limit.ts';
import { type Route, route } from '#/platform/http/route.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import { changeDeadJob } from './change-dead-job.ts';
import { getSystemHealth, type HealthDeps } from './get-system-health.ts';
import { getJobQueue, listDeadJobs } from './job-queue.ts';
import { listSystemWarnings } from './list-system-warnings.ts';
import { mailNewWarnings, mailWarnings, WARNINGS_MAIL, type WarningMailDeps } from './mail-warnings.ts';
import { type TestMailDeps, testMail } from './test-mail.ts';

export { type Installation, readDisk } from './get-system-health.ts';
export { isBackupOld, isLow, isUnencrypted, readInstallation } from './list-system-warnings.ts';

interface SystemDeps extends HealthDeps, WarningMailDeps, Omit<TestMailDeps, 'takeTest'> {
  readonly db: Database;
  readonly publicUrl: () => string;
  readonly createCounter: CreateCounter;
}

interface SystemFeature {
  readonly routes: readonly Route[];
  readonly jobHandlers: Readonly<Record<string, JobHandler>>;
  purge(): Promise<void>;
}

const TEST_MAILS = { points: 5, duration: 60 };

export function systemFeature(deps: SystemDeps): SystemFeature {
  const tests = deps.createCounter('test mails', TEST_MAILS);
  const takeTest = async (userId: string) => void (await tests.take(userId));
  return {
    routes: [
      route(contract.listSystemWarnings, listSystemWarnings(deps)),
      route(contract.getSystemHealth, getSystemHealth(deps)),
      route(contract.getJobQueue, getJobQueue),
      route(contract.listDeadJobs, listDeadJobs),
      route(contract.retryJob, changeDeadJob('retry')),
      route(contract.discardJob, changeDeadJob('discard')),
      route(contract.testMail, testMail({ ...deps, takeTest })),
    ],
    jobHandlers: { [WARNINGS_MAIL]: mailWarnings(deps) },
    purge: () => mailNewWarnings(deps, deps.db),
  };
}
