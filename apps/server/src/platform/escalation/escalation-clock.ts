import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import type { Change } from '#/platform/http/context.ts';
import type { Publish } from '#/platform/http/publish.ts';
import { createWrite } from '#/platform/http/writes/write.ts';
import { describeFailure } from '#/platform/jobs/describe-failure.ts';
import type { Log } from '#/platform/log.ts';
import { newId } from '#/platform/new-id.ts';
import { claimDue, postponeEscalation, readClock, type StoredEscalation, type Subject } from './escalation-queries.ts';

/**
 * Does the step that is due of one kind of subject, in the transaction that holds its escalation: asks whom it calls, stores the
 * transition, and answers what to publish and to audit.
 */
export type TakeStep = (tx: DatabaseTransaction, stored: StoredEscalation, now: Date) => Promise<Change<void>>;

export interface EscalationClock {
  /** Looks at once and then every second. */
  start(): void;
  /** Begins no further step and waits for those under way. */
  stop(): Promise<void>;
  /** When it last looked, in ms since 1970; null before the first time. */
  lookedAt(): number | null;
  /** Does every step that is due; the number of them. With `now` as if that were the time. */
  runDue(now?: Date): Promise<number>;
}

interface ClockDeps {
  readonly db: Database;
  readonly log: Log;
  readonly publish: Publish;
  readonly steps: Readonly<Record<Subject['kind'], TakeStep>>;
}

const EVERY_MS = 1_000;
const LANES = 4;
const POSTPONED_MS = 10_000;

/**
 * Works off the due escalations, together with any number of other servers. A step is one transaction that holds its row, so a
 * server that is killed in the middle of it leaves it due, and no step is done twice: no lease has to run out, as a job's would.
 */
export function createEscalationClock({ db, log, publish, steps }: ClockDeps): EscalationClock {
  let every: NodeJS.Timeout | undefined;
  let isStopping = false;
  let lookedAt: number | null = null;
  let underWay: Promise<number> | null = null;

  /** False where nothing is due. */
  async function takeOne(asIf: Date | undefined): Promise<boolean> {
    const http = { ip: null, requestId: `escalation ${newId()}`, socketId: null };
    const write = createWrite({ actor: null, db, log, http }, publish);
    let claimed: StoredEscalation | null = null;
    try {
      await write('escalation.step', async (tx) => {
        const now = asIf ?? (await readClock(tx));
        claimed = await claimDue(tx, now);
        lookedAt = Date.now();
        if (claimed === null) return { result: undefined, audit: null };
        return steps[claimed.subject.kind](tx, claimed, now);
      });
    } catch (error) {
      const failed = claimed as StoredEscalation | null;
      if (failed === null) throw error;
      log.error({ escalation: failed.id, failure: describeFailure(error) }, 'a step of an escalation failed');
      await postpone(failed, asIf);
    }
    return claimed !== null;
  }

  async function postpone({ id }: StoredEscalation, asIf: Date | undefined): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const now = asIf ?? (await readClock(tx));
      await postponeEscalation(tx, id, new Date(now.getTime() + POSTPONED_MS));
    });
  }

  /** One that looks, and the others where it finds something. */
  async function work(asIf?: Date): Promise<number> {
    if (isStopping || !(await takeOne(asIf))) return 0;
    let taken = 1;
    const lane = async () => {
      while (!isStopping && (await takeOne(asIf))) taken++;
    };
    const ended = await Promise.allSettled(Array.from({ length: LANES }, lane));
    const failed = ended.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return taken;
  }

  function look(asIf?: Date): Promise<number> {
    underWay ??= asSystem('clock', () => work(asIf)).finally(() => {
      underWay = null;
    });
    return underWay;
  }

  const tick = () =>
    void look().catch((error: unknown) => log.warn({ err: error }, 'what is due of escalations could not be read'));

  return {
    start() {
      every ??= setInterval(tick, EVERY_MS).unref();
      tick();
    },
    async stop() {
      isStopping = true;
      clearInterval(every);
      await underWay?.catch(() => undefined);
    },
    lookedAt: () => lookedAt,
    runDue: look,
  };
}
