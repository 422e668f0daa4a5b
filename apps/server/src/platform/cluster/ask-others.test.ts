import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '#/platform/log.ts';
import { createAskOthers } from './ask-others.ts';
import type { Asked } from './bus.ts';
import { createRedisBus } from './redis-bus.ts';
import { type LossyLine, LossyRedis } from './testing/lossy-redis.ts';

const QUESTION: Asked = { about: 'app stays', channels: ['a'] };

let redis: LossyRedis;
let lines: LossyLine[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance', 'Date'] });
  redis = new LossyRedis();
  lines = [];
});
afterEach(() => void vi.useRealTimers());

/** A server that answers so; undefined where it is not asked. */
function start(answer: unknown) {
  const line = redis.open();
  lines.push(line);
  const bus = createRedisBus({ ...line, subject: 'test', key: Buffer.alloc(32), log: createLog('silent') });
  const ask = createAskOthers(bus, () => answer);
  line.connect();
  return { line, ask };
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    await vi.advanceTimersByTimeAsync(10);
    for (const line of lines) line.arrive(Number.POSITIVE_INFINITY);
  }
}

/** What came of it within the time, or 'waits'. */
async function within(ms: number, asking: Promise<unknown>): Promise<unknown> {
  let outcome: unknown = 'waits';
  void asking.then((answers) => {
    outcome = answers;
  });
  await pass(ms);
  return outcome;
}

it('OPS-5 a question is over when all others have answered, and at once where there are none', async () => {
  const a = start(1);
  await pass(2_000);
  expect(await within(10, a.ask(QUESTION))).toEqual([]);
  start(2);
  start({ three: 3 });
  await pass(2_000);
  expect(await within(50, a.ask(QUESTION))).toEqual([2, { three: 3 }]);
});

it('OPS-5 nobody waits for more than a second, or for more than what is enough', async () => {
  const a = start(1);
  start(2);
  start(undefined);
  await pass(2_000);
  expect(
    await within(
      50,
      a.ask(QUESTION, (answer) => answer === 2),
    ),
  ).toEqual([2]);
  const asking = a.ask(QUESTION);
  expect(await within(900, asking)).toBe('waits');
  expect(await within(200, asking)).toEqual([2]);
});
