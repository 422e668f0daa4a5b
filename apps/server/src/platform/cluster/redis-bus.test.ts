import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { deriveKey } from '#/platform/config/derive-key.ts';
import { createLog, type Log } from '#/platform/log.ts';
import type { Told } from './bus.ts';
import { createEnvelopes } from './envelope.ts';
import { DEAF_AFTER_MS } from './hearing.ts';
import { type Cluster, openCluster } from './open-cluster.ts';
import { hasRedis, type RealRedis, startRealRedis } from './testing/real-redis.ts';

const FORGET: Told = { kind: 'forget', userId: 'ana' };

describe.skipIf(!hasRedis())('over a real Redis', () => {
  let redis: RealRedis;
  const open: Cluster[] = [];
  beforeAll(async () => {
    redis = await startRealRedis();
  });
  afterEach(() => Promise.all(open.splice(0).map((cluster) => cluster.close())));
  afterAll(() => redis.close());

  async function join(realtimeSecret = 'shared by the servers') {
    const cluster = openCluster(redis.url, { realtimeSecret, log: createLog('silent') });
    const { bus, createCounter } = cluster;
    open.push(cluster);
    const told: string[] = [];
    const hearings: boolean[] = [];
    bus.onTold((what, bytes) => {
      if (what.kind !== 'beat') told.push(`${what.kind} ${bytes}`);
    });
    bus.onHearing((isHearing) => hearings.push(isHearing));
    await vi.waitFor(() => expect(bus.isHearing()).toBe(true), 5_000);
    return { bus, createCounter, told, hearings };
  }

  it('OPS-5 what one tells the others hear once, whole and in order, and itself not', async () => {
    const [a, b, c] = await Promise.all([join(), join(), join()]);
    const frames = Array.from({ length: 500 }, (_, at) => `frame ${at} ${'x'.repeat(at)}`);
    for (const frame of frames) a.bus.tell({ kind: 'deliver', channel: 'private-chat.1' }, Buffer.from(frame));
    const expected = frames.map((frame) => `deliver ${frame}`);
    await vi.waitFor(() => expect(b.told.length + c.told.length).toBe(1_000), 5_000);
    expect(b.told).toEqual(expected);
    expect(c.told).toEqual(expected);
    expect(a.told).toEqual([]);
    expect(b.hearings).toEqual([true]);
  });

  it('OPS-5 an installation does not hear another one on the same Redis', async () => {
    const [a, stranger] = await Promise.all([join(), join('that of another installation')]);
    const b = await join();
    stranger.bus.tell(FORGET);
    a.bus.tell(FORGET);
    await vi.waitFor(() => expect(b.told).toHaveLength(1), 5_000);
    expect(stranger.told).toEqual([]);
  });

  it('A44 garbage and what was recorded before is left out', async () => {
    const [a, b] = await Promise.all([join(), join()]);
    const spy = new Redis(redis.url);
    const recorded: Buffer[] = [];
    let subject = '';
    await spy.psubscribe('wardline:*');
    spy.on('pmessageBuffer', (_pattern: Buffer, on: Buffer, message: Buffer) => {
      subject = String(on);
      recorded.push(message);
    });
    a.bus.tell(FORGET);
    await vi.waitFor(() => expect(b.told).toEqual(['forget ']), 5_000);
    const poison = new Redis(redis.url);
    for (const message of [...recorded, Buffer.from('garbage'), Buffer.from(JSON.stringify(FORGET))]) {
      await poison.publish(subject, message);
    }
    a.bus.tell({ kind: 'recheck' });
    await vi.waitFor(() => expect(b.told).toEqual(['forget ', 'recheck ']), 5_000);
    expect(b.bus.isHearing()).toBe(true);
    spy.disconnect();
    poison.disconnect();
  });

  it('OPS-5 a server whose clock differs by more than a message may be old is not passed over: nobody counts on hearing all until it is right', async () => {
    const a = await join();
    const spy = new Redis(redis.url);
    let subject = '';
    await spy.psubscribe('wardline:*');
    spy.on('pmessage', (_pattern: string, on: string) => {
      subject = on;
    });
    await vi.waitFor(() => expect(subject).not.toBe(''), 5_000);
    const key = deriveKey(Buffer.from('shared by the servers'), 'server bus');
    const late = createEnvelopes(key, () => Date.now() - 6 * 60_000);
    const speaker = new Redis(redis.url);
    await speaker.publish(subject, late.close({ kind: 'beat' }));
    await vi.waitFor(() => expect(a.bus.isHearing()).toBe(false), 2_000);
    expect(a.told).toEqual([]);
    await vi.waitFor(() => expect(a.bus.isHearing()).toBe(true), DEAF_AFTER_MS + 5_000);
    spy.disconnect();
    speaker.disconnect();
  }, 30_000);

  it('OPS-5 a Redis that lets nobody in is told once, with what it says', async () => {
    const said: unknown[] = [];
    const log = { ...createLog('silent'), error: (fields: unknown) => said.push(fields) } as unknown as Log;
    const url = Object.assign(new URL(redis.url), { username: 'nobody', password: 'wrong' }).href;
    const cluster = openCluster(url, { realtimeSecret: 'shared by the servers', log });
    open.push(cluster);
    await vi.waitFor(() => expect(said).toEqual([{ reason: expect.stringContaining('WRONGPASS') }]), 5_000);
    expect(cluster.bus.isHearing()).toBe(false);
  });

  it('R3 a Redis that is killed makes all deaf at once, and back it is heard again within 5 s', async () => {
    const [a, b] = await Promise.all([join(), join()]);
    await redis.kill();
    await vi.waitFor(() => expect([a.bus.isHearing(), b.bus.isHearing()]).toEqual([false, false]), 2_000);
    // Lost: both know that, since nobody heard.
    a.bus.tell(FORGET);
    await redis.start();
    await vi.waitFor(() => expect([a.bus.isHearing(), b.bus.isHearing()]).toEqual([true, true]), 5_000);
    await vi.waitFor(async () => {
      b.told.length = 0;
      a.bus.tell({ kind: 'recheck' });
      await vi.waitFor(() => expect(b.told).toEqual(['recheck ']), 500);
    }, 5_000);
  });

  it('R3 a Redis that says nothing more makes all deaf, though its connections stand', async () => {
    const [a, b] = await Promise.all([join(), join()]);
    redis.signal('SIGSTOP');
    await vi.waitFor(() => expect([a.bus.isHearing(), b.bus.isHearing()]).toEqual([false, false]), 8_000);
    redis.signal('SIGCONT');
    await vi.waitFor(() => expect([a.bus.isHearing(), b.bus.isHearing()]).toEqual([true, true]), 5_000);
  });

  it('OPS-5 A2 a limit is one for all servers, and while Redis is away still one for each', async () => {
    const [a, b] = await Promise.all([join(), join()]);
    const options = { points: 3, duration: 60 };
    const [atA, atB] = [a.createCounter('tries', options), b.createCounter('tries', options)];
    const other = b.createCounter('others', options);
    const isTaken = (counter: typeof atA, key: string) =>
      counter.take(key).then(
        () => true,
        () => false,
      );
    const taken: boolean[] = [];
    for (const counter of [atA, atB, atA, atB, atA]) taken.push(await isTaken(counter, 'ana'));
    expect(taken).toEqual([true, true, true, false, false]);
    expect([await isTaken(atB, 'mira'), await isTaken(other, 'ana')]).toEqual([true, true]);
    await atA.forget('ana');
    expect(await isTaken(atB, 'ana')).toBe(true);
    await redis.kill();
    const away: boolean[] = [];
    for (let turn = 0; turn < 5; turn++) away.push(await isTaken(atA, 'zoe'));
    expect(away).toEqual([true, true, true, false, false]);
    await redis.start();
  });
});
