import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { createWrite } from '#/platform/http/writes/write.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import type { Log } from '#/platform/log.ts';
import { newId } from '#/platform/new-id.ts';
import { AUDIT_HEAD_MAIL } from './mail-audit-head.ts';
import { redactEntries } from './redact-entries.ts';
import { ForeignHead, readHead, sealEntries } from './seal-entries.ts';

export interface AuditClock {
  /** Looks at once and then every few seconds. */
  start(): void;
  /** Begins nothing more and waits for what is under way. */
  stop(): Promise<void>;
  /** Gives what waits its place in the chain, and once a day has its end mailed. */
  runDue(): Promise<void>;
}

interface AuditClockDeps {
  readonly db: Database;
  readonly log: Log;
  readonly appKey: Buffer;
  /** Null where no mail would reach anybody. */
  readonly operatorEmail: string | null;
  /** After how many years entries are emptied; null where they are kept for ever. */
  readonly keptYears: number | null;
}

const EVERY_MS = 3_000;

/** Works off what the audit does by itself, together with any number of other processes. */
export function createAuditClock({ db, log, appKey, operatorEmail, keptYears }: AuditClockDeps): AuditClock {
  let every: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | null = null;
  let wasForeign = false;
  let [mailedOn, redactedOn] = ['', ''];

  async function work(): Promise<void> {
    await sealEntries(db, appKey);
    wasForeign = false;
    const today = new Date().toISOString().slice(0, 10);
    if (keptYears !== null && redactedOn !== today) {
      await redactEntries(writeNow(), keptYears);
      redactedOn = today;
    }
    if (operatorEmail === null || mailedOn === today || (await readHead(db)).seq === 0) return;
    await mailHead(today);
    mailedOn = today;
  }

  const writeNow = () => {
    const http = { ip: null, requestId: `audit ${newId()}`, socketId: null };
    return createWrite({ actor: null, db, log, http }, () => undefined);
  };

  async function mailHead(day: string): Promise<void> {
    await writeNow()('audit.head.mail', async (tx) => {
      const taken = await takes.first(tx, sql`select take_audit_mail(${day}::date) as is_taken`);
      if (!taken?.is_taken) return { result: undefined, audit: null };
      const { seq, hash } = await readHead(tx);
      await enqueueJob(tx, { kind: AUDIT_HEAD_MAIL, payload: { seq, hash: hash.toString('hex'), day } });
      return { result: undefined, audit: { detail: { seq } } };
    });
  }

  function look(): Promise<void> {
    underWay ??= asSystem('clock', work).finally(() => {
      underWay = null;
    });
    return underWay;
  }

  const tick = () =>
    void look().catch((error: unknown) => {
      if (!(error instanceof ForeignHead)) return log.warn({ err: error }, 'the audit could not be chained');
      if (!wasForeign)
        log.error({ err: error }, 'the audit was changed past the server: see `npm run audit -- verify`');
      wasForeign = true;
    });

  return {
    start() {
      every ??= setInterval(tick, EVERY_MS).unref();
      tick();
    },
    async stop() {
      clearInterval(every);
      await underWay?.catch(() => undefined);
    },
    runDue: look,
  };
}

const takes = typedRows<{ is_taken: boolean }>({ is_taken: 'boolean' });
