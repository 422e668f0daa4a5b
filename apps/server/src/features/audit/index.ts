// The audit: what was done and read, by whom. Its entries are written where things are done (ctx.write, ctx.noteReads); here they
// are chained, verified, shown and exported.
import type { Database } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { purgeReads } from '#/platform/http/note-reads.ts';
import type { Route } from '#/platform/http/route.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { Log } from '#/platform/log.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import type { OwnDataList } from '#/platform/own-data.ts';
import { type AuditClock, createAuditClock } from './chain/audit-clock.ts';
import { AUDIT_HEAD_MAIL, mailAuditHead } from './chain/mail-audit-head.ts';
import { type AuditState, readAuditState } from './chain/read-state.ts';
import { routes } from './routes.ts';
import { ownData } from './view/own-data.ts';

export { acceptHead, sealEntries } from './chain/seal-entries.ts';
export { type Tampering, verifyChain } from './chain/verify-chain.ts';

interface AuditDeps {
  readonly db: Database;
  readonly log: Log;
  readonly appKey: Buffer;
  readonly mailer: Mailer;
  readonly operatorEmail: string | null;
  readonly productName: string;
  readonly keptYears: number | null;
}

export interface AuditFeature {
  readonly routes: readonly Route[];
  readonly ownData: readonly OwnDataList[];
  readonly jobHandlers: Readonly<Record<string, JobHandler>>;
  /** Chains what was written; to be started with the jobs. */
  readonly clock: AuditClock;
  /** For the system administration: how the chain stands now. */
  readState(): Promise<AuditState>;
  purge(): Promise<void>;
  stop(): Promise<void>;
}

export function auditFeature(deps: AuditDeps): AuditFeature {
  const clock = createAuditClock(deps);
  return {
    routes,
    ownData,
    jobHandlers: { [AUDIT_HEAD_MAIL]: mailAuditHead(deps) },
    clock,
    readState: () => asSystem('readiness', () => readAuditState(deps.db, deps.appKey)),
    purge: () => purgeReads(deps.db),
    stop: clock.stop,
  };
}
