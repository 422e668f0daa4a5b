import { expect, it, vi } from 'vitest';
import { createLog } from '#/platform/log.ts';
import { createRedisBus } from './redis-bus.ts';
import { createShareNumbers } from './share-numbers.ts';
import { LossyRedis } from './testing/lossy-redis.ts';

it('OPS-5 numbers are heard at the other servers under their names, those of one turn in one message', async () => {
  const redis = new LossyRedis();
  const heard: string[] = [];
  const servers = ['a', 'b'].map((at) => {
    const line = redis.open();
    const bus = createRedisBus({ ...line, subject: 'test', key: Buffer.alloc(32), log: createLog('silent') });
    const told = vi.spyOn(bus, 'tell');
    const share = createShareNumbers(bus);
    const tell = share('tries', (key, number) => heard.push(`${at} ${key} ${number}`));
    share('others', (key) => heard.push(`others of ${at} ${key}`));
    line.connect();
    return { line, bus, told, tell };
  });
  const [a, b] = servers;
  await new Promise((resolve) => setImmediate(resolve));
  a?.tell('ana', 1);
  a?.tell('ana', 2.5);
  await new Promise((resolve) => setImmediate(resolve));
  for (const { line, bus } of servers) {
    line.arrive(Number.POSITIVE_INFINITY);
    bus.close();
  }
  expect(heard).toEqual(['b ana 1', 'b ana 2.5']);
  expect([a?.told.mock.calls.length, b?.told.mock.calls.length]).toEqual([1, 0]);
});
