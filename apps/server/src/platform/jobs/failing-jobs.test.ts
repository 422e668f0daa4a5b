import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimJob } from './job-queries.ts';
import type { JobHandler } from './jobs.ts';
import { makeGate, type TestQueue, testQueue } from './testing/queue.ts';

const CLAIM = { leaseS: 180, isPressing: false };

let queue: TestQueue;
beforeEach(async () => {
  queue = await testQueue();
});
afterEach(async () => {
  vi.useRealTimers();
  await queue.close();
});

describe('a job that fails', () => {
  it('OPS-12 a job that fails is tried again after 10, 30, 90, 270 and 810 s, then lies among the dead', async () => {
    const jobs = queue.jobsWith({
      fail: async () => {
        throw Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
      },
    });
    await queue.enqueue('fail');
    const delays: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await jobs.runDue()).toBe(1);
      const [row] = await queue.rows();
      expect(row).toMatchObject({ attempts: attempt, is_dead: false, last_error: 'Error ECONNREFUSED' });
      delays.push(row?.due_in_s ?? 0);
      await queue.letTimePass();
    }
    expect(delays).toEqual([10, 30, 90, 270, 810]);
    expect(await jobs.runDue()).toBe(1);
    expect(await queue.rows()).toMatchObject([{ attempts: 6, is_dead: true, last_error: 'Error ECONNREFUSED' }]);
    await queue.letTimePass();
    expect(await jobs.runDue()).toBe(0);
  });

  it('OPS-12 a job that succeeds on a later try is gone', async () => {
    let tries = 0;
    const jobs = queue.jobsWith({
      moody: async () => {
        if (++tries < 3) throw new Error('not yet');
      },
    });
    await queue.enqueue('moody');
    for (let turn = 0; turn < 3; turn++) {
      await jobs.runDue();
      await queue.letTimePass();
    }
    expect(tries).toBe(3);
    expect(await queue.rows()).toEqual([]);
  });

  it('R23 one poisoned job in a thousand, and one of a kind nobody knows, stop no other', async () => {
    await queue.enqueue('fine', 500);
    await queue.enqueue('poison');
    await queue.enqueue('toString');
    await queue.enqueue('fine', 500);
    let fine = 0;
    const jobs = queue.jobsWith({
      fine: async () => void fine++,
      // A handler that throws before it is even a promise, and something that is no error.
      poison: () => {
        throw undefined;
      },
    });
    expect(await jobs.runDue()).toBe(1002);
    expect(fine).toBe(1000);
    expect(await queue.rows()).toMatchObject([
      { kind: 'poison', attempts: 1, last_error: 'a thrown undefined' },
      { kind: 'toString', attempts: 1, last_error: 'this server knows no such kind of job' },
    ]);
  });

  it('R23 a handler that never ends is given up after two minutes and its lane goes on', async () => {
    await queue.enqueue('hang', 4);
    await queue.enqueue('fine', 3);
    const allHang = makeGate();
    let hanging = 0;
    let fine = 0;
    const jobs = queue.jobsWith({
      hang: () => {
        if (++hanging === 4) allHang.open();
        return new Promise(() => undefined);
      },
      fine: async () => void fine++,
    });
    await sql`select 1`.execute(queue.db);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const running = jobs.runDue();
    await allHang.opened;
    expect(fine).toBe(0);
    vi.advanceTimersByTime(120_000);
    vi.useRealTimers();
    expect(await running).toBe(7);
    expect(fine).toBe(3);
    // Not before the lease would have been over: nobody can stop what hangs.
    const overdue = { last_error: 'it took longer than 2 min', due_in_s: 180 };
    expect(await queue.rows()).toMatchObject(Array(4).fill(overdue));
  });

  it('OPS-12 a job whose process was killed in the middle runs again when its lease is over, not before', async () => {
    await queue.enqueue('greet');
    // The claim of a process that is never heard of again.
    expect(await claimJob(queue.db, CLAIM)).toMatchObject({ kind: 'greet', attempts: 1 });
    let ran = 0;
    const jobs = queue.jobsWith({ greet: async () => void ran++ });
    expect(await jobs.runDue()).toBe(0);
    expect(await queue.rows()).toMatchObject([{ due_in_s: 180, is_dead: false }]);
    await queue.letTimePass();
    expect(await jobs.runDue()).toBe(1);
    expect(ran).toBe(1);
    expect(await queue.rows()).toEqual([]);
  });

  it('R23 a job that kills its process every time is dead after the sixth', async () => {
    await queue.enqueue('deadly');
    for (let turn = 0; turn < 6; turn++) {
      await claimJob(queue.db, CLAIM);
      await queue.letTimePass();
    }
    let ran = 0;
    const jobs = queue.jobsWith({ deadly: async () => void ran++ });
    await jobs.runDue();
    expect(ran).toBe(0);
    expect(await queue.rows()).toMatchObject([{ is_dead: true, last_error: 'the process ended during the last try' }]);
  });

  it('OPS-12 a try that ends after its lease does not touch what another process made of the job', async () => {
    await queue.enqueue('late');
    const jobs = queue.jobsWith({
      late: async () => {
        // The claim of another process, once the lease was over; in one statement, before another lane of this one looks.
        await sql`update jobs set run_at = now() + interval '180 s', attempts = attempts + 1`.execute(queue.db);
        throw new Error('too late');
      },
    });
    await jobs.runDue();
    expect(await queue.rows()).toMatchObject([{ attempts: 2, last_error: null, due_in_s: 180 }]);
  });

  it('A45 neither the stored reason nor the log says what a failure quotes', async () => {
    const lines: string[] = [];
    const loud = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
    const handlers: Record<string, JobHandler> = {
      mail: async () => {
        throw Object.assign(new Error('550 nurse@ward.test: no such MARKER\n    at MARKER (y:1:1)'), {
          name: 'MARKER nurse@ward.test',
          code: 'EENVELOPE',
          responseCode: 550,
          response: 'MARKER',
        });
      },
    };
    await queue.enqueue('mail');
    await queue.jobsWith(handlers, loud).runDue();
    expect(await queue.rows()).toMatchObject([{ last_error: 'Error EENVELOPE 550' }]);
    expect(lines.join('')).toContain('a job failed and will be tried again');
    expect(lines.join('')).toContain('jobs.test.ts');
    expect(lines.join('')).not.toMatch(/MARKER|nurse/);
  });
});
