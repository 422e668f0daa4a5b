import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDatabase, type DatabaseTransaction } from '#/platform/db/database.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { createLog } from '#/platform/log.ts';
import { nextDue } from './job-queries.ts';
import { createJobs, enqueueJob, type JobHandler, noteDueJobs } from './jobs.ts';
import { makeGate, type TestQueue, testQueue } from './testing/queue.ts';

const log = createLog('silent');

let queue: TestQueue;
beforeEach(async () => {
  queue = await testQueue();
});
afterEach(async () => {
  vi.useRealTimers();
  await queue.close();
});

/** What a write of this process does. */
function writeWith(change: (tx: DatabaseTransaction) => Promise<unknown>): Promise<void> {
  return createJobWrite({ db: queue.db, log, jobId: 'a job' })('contact.send', async (tx) => {
    await change(tx);
    return { result: undefined, audit: null };
  });
}

const numberOf = (payload: unknown) => (payload as { number: number }).number;

describe('the queue', () => {
  it('OPS-12 a job whose transaction is rolled back never was; a committed one runs once and is gone', async () => {
    const ran: unknown[] = [];
    const jobs = queue.jobsWith({ greet: async (payload) => void ran.push(payload) });
    const failing = queue.db.transaction().execute(async (tx) => {
      await enqueueJob(tx, { kind: 'greet', payload: { number: 7 } });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await jobs.runDue()).toBe(0);
    await queue.enqueue('greet');
    expect(await jobs.runDue()).toBe(1);
    expect(await jobs.runDue()).toBe(0);
    expect(ran).toEqual([{ number: 0 }]);
    expect(await queue.rows()).toEqual([]);
  });

  it('OPS-12 a job for later waits for its time', async () => {
    const jobs = queue.jobsWith({ later: async () => undefined });
    const runAt = new Date(Date.now() + 3_600_000);
    await queue.db.transaction().execute((tx) => enqueueJob(tx, { kind: 'later', payload: {}, runAt }));
    expect(await jobs.runDue()).toBe(0);
    await queue.letTimePass();
    expect(await jobs.runDue()).toBe(1);
  });

  it('OPS-12 two processes do 400 jobs between them, each exactly once, neither more than four at a time', async () => {
    await queue.enqueue('count', 400);
    const seen: number[] = [];
    const worker = () => {
      const db = createDatabase(queue.connectionString, log, { poolSize: 6 });
      const load = { now: 0, most: 0 };
      const count: JobHandler = async (payload) => {
        load.now++;
        load.most = Math.max(load.most, load.now);
        await sql`select pg_sleep(0.001)`.execute(db);
        seen.push(numberOf(payload));
        load.now--;
      };
      return { db, load, jobs: createJobs({ db, log, handlers: { count } }) };
    };
    const workers = [worker(), worker()];
    const counts = await Promise.all(workers.map(({ jobs }) => jobs.runDue()));
    await Promise.all(workers.map(({ db }) => db.destroy()));
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, number) => number));
    expect(counts.reduce((sum, count) => sum + count)).toBe(400);
    for (const { load } of workers) expect(load.most).toBeLessThanOrEqual(4);
    expect(await queue.rows()).toEqual([]);
  });

  it('OPS-12 what was put there before the start waits for it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const done = makeGate();
    let ran = 0;
    const jobs = queue.jobsWith({
      async greet() {
        ran++;
        done.open();
      },
    });
    await writeWith((tx) => enqueueJob(tx, { kind: 'greet', payload: {} }));
    await sql`select 1`.execute(queue.db);
    expect(ran).toBe(0);
    jobs.start();
    await done.opened;
    await jobs.stop();
    expect(await queue.rows()).toEqual([]);
  });

  it.each<[string, (tx: DatabaseTransaction) => Promise<unknown>]>([
    ['puts into the queue', (tx) => enqueueJob(tx, { kind: 'greet', payload: {} })],
    ['puts there for now', (tx) => enqueueJob(tx, { kind: 'greet', payload: {}, runAt: new Date() })],
    [
      'puts there by a statement of its own',
      async (tx) => {
        await sql`insert into jobs (id, kind, payload) values (gen_random_uuid(), 'greet', '{}')`.execute(tx);
        noteDueJobs(tx);
      },
    ],
  ])('OPS-12 what a write %s begins after its commit, without the next look', async (_how, change) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const done = makeGate();
    const jobs = queue.jobsWith({ greet: async () => done.open() });
    jobs.start();
    await jobs.runDue();
    await writeWith(change);
    await done.opened;
    await jobs.stop();
    expect(await queue.rows()).toEqual([]);
  });

  it('OPS-12 a write without a job that is due has nobody look', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    const jobs = queue.jobsWith({});
    jobs.start();
    await jobs.runDue();
    const before = jobs.lookedAt();
    vi.setSystemTime(Date.now() + 1_000);
    const runAt = new Date(Date.now() + 60_000);
    await writeWith((tx) => enqueueJob(tx, { kind: 'greet', payload: {}, runAt }));
    await writeWith(async (tx) => {
      await enqueueJob(tx, { kind: 'greet', payload: {} });
      throw new Error('changed my mind');
    }).catch(() => undefined);
    await jobs.stop();
    expect(jobs.lookedAt()).toBe(before);
  });

  it('OPS-12 URG-2 what somebody waits for is done while every mail hangs, two at a time', async () => {
    await queue.enqueue('mail', 40);
    const [healed, allHang, isFull] = [makeGate(), makeGate(), makeGate()];
    let [hanging, calls] = [0, 0];
    const jobs = queue.jobsWith({
      async mail() {
        if (++hanging === 4) allHang.open();
        await healed.opened;
      },
      async call() {
        if (++calls === 2) isFull.open();
        await isFull.opened;
      },
    });
    const running = jobs.runDue();
    await allHang.opened;
    await queue.db.transaction().execute(async (tx) => {
      for (const place of [1, 2]) await enqueueJob(tx, { kind: 'call', payload: { place }, isPressing: true });
    });
    const second = jobs.runDue();
    await isFull.opened;
    expect(hanging).toBe(4);
    healed.open();
    await Promise.all([running, second]);
    expect(await queue.rows()).toEqual([]);
  });

  it('OPS-12 without a write of its own it looks every five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const done = makeGate();
    const jobs = queue.jobsWith({ greet: async () => done.open() });
    jobs.start();
    await jobs.runDue();
    await queue.enqueue('greet');
    vi.advanceTimersByTime(5_000);
    await done.opened;
    await jobs.stop();
    expect(await queue.rows()).toEqual([]);
  });

  it('OPS-4 a stop waits for the jobs under way and begins no other', async () => {
    await queue.enqueue('slow', 6);
    const gate = makeGate();
    const allBegan = makeGate();
    let began = 0;
    const jobs = queue.jobsWith({
      slow: async () => {
        if (++began === 4) allBegan.open();
        await gate.opened;
      },
    });
    jobs.start();
    await allBegan.opened;
    let hasStopped = false;
    const stopping = jobs.stop().then(() => {
      hasStopped = true;
    });
    await sql`select 1`.execute(queue.db);
    expect(hasStopped).toBe(false);
    gate.open();
    await stopping;
    expect(await jobs.runDue()).toBe(0);
    expect(began).toBe(4);
    expect(await queue.rows()).toHaveLength(2);
  });
});

it.each([
  ['job', false, 'jobs_due_idx'],
  ['pressing job', true, 'jobs_pressing_idx'],
])(
  'OPS-12 the next %s is found by the index, however long the queue and whatever lies dead in it',
  async (_what, isPressing, index) => {
    await sql`
    insert into jobs (id, kind, payload, run_at, dead_at)
    select gen_random_uuid(), 'count', '{}', now() + make_interval(secs => n - 100),
      case when n % 2 = 0 then now() end
    from generate_series(1, 50000) n`.execute(queue.db);
    await sql`analyze jobs`.execute(queue.db);
    const plan = await sql<{ 'QUERY PLAN': string }>`explain ${nextDue(isPressing)}`.execute(queue.db);
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain(`Index Scan using ${index}`);
    expect(text).not.toMatch(/Sort|Seq Scan/);
  },
);
