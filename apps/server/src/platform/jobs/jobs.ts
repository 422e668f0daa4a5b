import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import type { Log } from '#/platform/log.ts';
import { newId } from '#/platform/new-id.ts';
import { describeFailure, JobFailure, placeOfFailure } from './describe-failure.ts';
import { buryJob, type ClaimedJob, claimJob, deleteJob, postponeJob } from './job-queries.ts';

/** So many at a time, and so many more of those that somebody waits for: a mail server that hangs keeps no call from a phone. */
const LANES = 4;
const PRESSING_LANES = 2;
const POLL_MS = 5_000;
/** A handler that takes longer has failed; the lease outlasts it, so that no other process begins meanwhile. */
const TIME_LIMIT_MS = 120_000;
const LEASE_S = 180;
const TOO_LONG = 'it took longer than 2 min';
const TRIES = 6;
const FIRST_DELAY_S = 10;

export interface NewJob {
  readonly kind: string;
  /** Stored until the job is done: ids and addresses, never a secret that opens something. */
  readonly payload: object;
  /** Not before; now if left out. */
  readonly runAt?: Date;
  /** Somebody waits for it, or a right ends with it: it waits behind no mail. */
  readonly isPressing?: boolean;
}

/** Of each database, what looks into its queue in this process. */
const nudges = new WeakMap<Database, () => void>();
const withDueJobs = new WeakSet<DatabaseTransaction>();

/** Puts a job into the queue, in the transaction of what it is about. One that is due at once begins after the `write`. */
export async function enqueueJob(tx: DatabaseTransaction, job: NewJob): Promise<void> {
  const { kind, payload, runAt, isPressing = false } = job;
  const row = {
    ...{ id: newId(), kind, payload: JSON.stringify(payload), is_pressing: isPressing },
    ...(runAt && { run_at: runAt }),
  };
  await tx.insertInto('jobs').values(row).execute();
  if (runAt === undefined || runAt.getTime() <= Date.now()) noteDueJobs(tx);
}

/** For a statement that puts jobs into the queue itself, or lets them run again. */
export function noteDueJobs(tx: DatabaseTransaction): void {
  withDueJobs.add(tx);
}

/** After the commit of a `write`: what it put into the queue begins at once and does not wait for the next look. */
export function beginJobsOf(tx: DatabaseTransaction, db: Database): void {
  if (withDueJobs.has(tx)) nudges.get(db)?.();
}

/**
 * Does one kind of job. It may be run again for the same job, also after it succeeded (the process can end before that
 * is noted): at least once, and never twice at the same time, save where it goes on for minutes after its two are over. What it
 * throws is retried.
 */
export type JobHandler = (
  payload: unknown,
  context: { readonly db: Database; readonly log: Log; readonly jobId: string },
) => Promise<void>;

export interface Jobs {
  /** Adds what does further kinds of job; to be called before `start`. */
  handle(handlers: Readonly<Record<string, JobHandler>>): void;
  /** Begins to work off the queue and looks every 5 s for what others put there. */
  start(): void;
  /** Begins no further job and waits for those under way. */
  stop(): Promise<void>;
  /** When it last looked into the queue, in ms since 1970; null before the first time. */
  lookedAt(): number | null;
  /** Runs everything that is due now and tells how many tries that took. */
  runDue(): Promise<number>;
}

interface JobsDeps {
  readonly db: Database;
  readonly log: Log;
  readonly handlers?: Readonly<Record<string, JobHandler>>;
}

/**
 * Works off the table `jobs`, together with any number of other processes: up to four at a time and two more of the pressing ones,
 * a failed one again after 10, 30, 90, 270 and 810 s, after the sixth try never again. A job whose process was killed, or that took
 * too long, runs again when its lease of 3 min is over.
 */
export function createJobs({ db, log, handlers: first = {} }: JobsDeps): Jobs {
  const handlers: Record<string, JobHandler> = { ...first };
  let polling: NodeJS.Timeout | undefined;
  let ran = 0;
  let lookedAt: number | null = null;
  let isStopping = false;

  /** Takes one job after the other; finding one, it calls another lane to help. */
  async function work(of: Lanes, isPressing: boolean): Promise<void> {
    while (!isStopping) {
      of.isNudged = false;
      const job = await claimJob(db, { leaseS: LEASE_S, isPressing });
      lookedAt = Date.now();
      if (job) {
        of.open();
        await runJob({ db, log, handlers }, job);
        ran++;
      } else if (!of.isNudged) return;
    }
  }
  const lanes: Lanes = createLanes(() => work(lanes, false), { most: LANES, log });
  const pressing: Lanes = createLanes(() => work(pressing, true), { most: PRESSING_LANES, log });
  const all = [pressing, lanes];
  const open = () => {
    for (const each of all) each.open();
  };

  nudges.set(db, () => {
    for (const each of all) each.isNudged = true;
    if (polling) open();
  });

  return {
    handle: (more) => void Object.assign(handlers, more),
    start() {
      polling ??= setInterval(open, POLL_MS).unref();
      open();
    },
    async stop() {
      isStopping = true;
      clearInterval(polling);
      await Promise.all(all.map((each) => each.untilIdle()));
    },
    lookedAt: () => lookedAt,
    async runDue() {
      const before = ran;
      open();
      await Promise.all(all.map((each) => each.untilIdle()));
      return ran - before;
    },
  };
}

interface Lanes {
  /** Set when something came in that a lane's last look may have missed. */
  isNudged: boolean;
  open(): void;
  untilIdle(): Promise<void>;
}

/** Runs `work` as often as it is opened, up to `most` times at once. */
function createLanes(work: () => Promise<void>, { most, log }: { readonly most: number; readonly log: Log }): Lanes {
  const lanes = new Set<Promise<void>>();
  return {
    isNudged: false,
    open() {
      if (lanes.size >= most) return;
      const lane = asSystem('job', work)
        .catch((error: unknown) => log.warn({ err: error }, 'the queue of jobs could not be read'))
        .finally(() => lanes.delete(lane));
      lanes.add(lane);
    },
    async untilIdle() {
      while (lanes.size > 0) await Promise.all(lanes);
    },
  };
}

/** One try. Whatever happens in it stays in it: neither a bad job nor a lost connection ends the lane. */
async function runJob({ db, log, handlers }: Required<JobsDeps>, job: ClaimedJob): Promise<void> {
  const fields = { job: job.id, kind: job.kind, attempt: job.attempts };
  try {
    const reason = await tryOnce(job, () => {
      const handler = Object.hasOwn(handlers, job.kind) ? handlers[job.kind] : undefined;
      if (!handler) throw new JobFailure('this server knows no such kind of job');
      return handler(job.payload, { db, log: log.child({ job: job.id }), jobId: job.id });
    });
    if (reason === null) return await deleteJob(db, job);
    if (job.attempts >= TRIES) {
      log.error({ ...fields, ...reason }, 'a job failed for the last time');
      return await buryJob(db, job, reason.failure);
    }
    log.warn({ ...fields, ...reason }, 'a job failed and will be tried again');
    const delayS = FIRST_DELAY_S * 3 ** (job.attempts - 1);
    // Nobody can stop it: it may still be at work.
    const isOverdue = reason.failure === TOO_LONG;
    await postponeJob(db, job, { delayS: isOverdue ? Math.max(delayS, LEASE_S) : delayS, reason: reason.failure });
  } catch (error) {
    log.warn({ ...fields, err: error }, 'the end of a job could not be noted; it will run again');
  }
}

/** Null where the job is done, otherwise why it is not. */
async function tryOnce(job: ClaimedJob, run: () => Promise<void>): Promise<{ failure: string; at: string[] } | null> {
  let limit: NodeJS.Timeout | undefined;
  try {
    // It was claimed more often than it may fail: each time its process ended before the job did.
    if (job.attempts > TRIES) throw new JobFailure('the process ended during the last try');
    const tooLong = new Promise<never>((_, reject) => {
      limit = setTimeout(() => reject(new JobFailure(TOO_LONG)), TIME_LIMIT_MS);
    });
    await Promise.race([run(), tooLong]);
    return null;
  } catch (error) {
    return { failure: describeFailure(error), at: placeOfFailure(error) };
  } finally {
    clearTimeout(limit);
  }
}
