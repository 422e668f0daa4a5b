import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { deriveKey } from '#/platform/config/derive-key.ts';
import { createLog, type Log } from '#/platform/log.ts';
import type { Told } from './bus.ts';
import { createEnvelopes } from './envelope.ts';
import { DEAF_AFTER_MS, GONE_AFTER_MS, Hearing, SETTLE_MS } from './hearing.ts';
import { type Cluster, openCluster } from './open-cluster.ts';
import { hasRedis, type RealRedis, startRealRedis } from './testing/real-redis.ts';

const FORGET: Told = { kind: 'forget', userId: 'ana' };

describe('the envelopes', () => {
  const key = randomBytes(32);

  it('OPS-5 what one server tells another opens as it was', () => {
    const [a, b] = [createEnvelopes(key), createEnvelopes(key)];
    const bytes = Buffer.from('a frame with ü');
    expect(b.open(a.close({ kind: 'deliver', channel: 'private-chat.1', except: '1.2' }, bytes))).toEqual({
      ...{ node: a.node, number: 1, bytes },
      told: { kind: 'deliver', channel: 'private-chat.1', except: '1.2' },
    });
    expect(b.open(a.close(FORGET))).toMatchObject({ number: 2, told: FORGET });
  });

  it('A44 what was changed, made by somebody else, kept for later or is no message of ours opens as nothing', () => {
    const [a, b] = [createEnvelopes(key), createEnvelopes(key)];
    const message = a.close(FORGET, Buffer.from('frame'));
    for (const at of [0, 20, message.length - 20, message.length - 1]) {
      const changed = Buffer.from(message);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(b.open(changed)).toBeNull();
    }
    for (const garbage of ['', 'x', '{"kind":"forget","userId":"ana"}'])
      expect(b.open(Buffer.from(garbage))).toBeNull();
    expect(createEnvelopes(randomBytes(32)).open(message)).toBeNull();
    const inSixMinutes = createEnvelopes(key, () => Date.now() + 6 * 60_000);
    expect(inSixMinutes.open(message)).toEqual({ differsByMs: expect.closeTo(-6 * 60_000, -4) });
    expect(b.open(a.close({ kind: 'delete everything' } as unknown as Told))).toBeNull();
    expect(b.open(a.close({ ...FORGET, more: 1 } as Told))).toBeNull();
    expect(b.open(message)).not.toBeNull();
  });

  it('A44 whoever runs the bus reads nothing of what is told', () => {
    const message = createEnvelopes(key).close(
      { kind: 'deliver', channel: 'private-chat.1' },
      Buffer.from('LEAK-MARKER'),
    );
    expect(message.toString('latin1')).not.toMatch(/LEAK-MARKER|private-chat|deliver/u);
  });
});

describe('the hearing', () => {
  it('OPS-5 a lost message is noticed by the number of the next, and one that comes again is left out', () => {
    const hearing = new Hearing();
    expect(hearing.take('a', 7, 0)).toBe('next');
    expect(hearing.take('a', 8, 0)).toBe('next');
    expect(hearing.take('b', 1, 0)).toBe('next');
    expect(hearing.take('a', 8, 0)).toBe('again');
    expect(hearing.take('a', 3, 0)).toBe('again');
    expect(hearing.take('a', 10, 0)).toBe('gap');
    expect(hearing.take('a', 11, 0)).toBe('next');
  });

  it('OPS-5 after a cut what others told meanwhile is missing before their next', () => {
    const hearing = new Hearing();
    hearing.take('a', 1, 0);
    hearing.cut();
    expect(hearing.take('a', 3, 10)).toBe('gap');
  });

  it('OPS-5 a process is deaf before its own beat has come back, and when it does so no longer', () => {
    const hearing = new Hearing();
    expect(hearing.isDeaf(0)).toBe(true);
    hearing.takeOwn(1_000);
    expect(hearing.isDeaf(1_000 + DEAF_AFTER_MS)).toBe(false);
    expect(hearing.isDeaf(1_001 + DEAF_AFTER_MS)).toBe(true);
    hearing.takeOwn(10_000);
    hearing.cut();
    expect(hearing.isDeaf(10_000)).toBe(true);
  });

  it('OPS-5 after a cut a process listens for a beat of the others before it counts on what it hears', () => {
    const hearing = new Hearing();
    expect(hearing.isSettled(0)).toBe(false);
    hearing.takeOwn(1_000);
    expect(hearing.isSettled(1_000 + SETTLE_MS - 1)).toBe(false);
    hearing.takeOwn(1_000 + SETTLE_MS);
    expect(hearing.isSettled(1_000 + SETTLE_MS)).toBe(true);
    hearing.cut();
    hearing.takeOwn(5_000);
    expect(hearing.isSettled(5_000)).toBe(false);
  });

  it('RT-2 nobody waits for an answer of a process that is gone, though what it told is remembered', () => {
    const hearing = new Hearing();
    hearing.take('a', 5, 0);
    hearing.take('b', 5, 1);
    expect(hearing.countOthers(DEAF_AFTER_MS)).toBe(2);
    expect(hearing.countOthers(DEAF_AFTER_MS + 1)).toBe(1);
    expect(hearing.take('a', 5, DEAF_AFTER_MS + 1)).toBe('again');
  });

  it('OPS-5 a process that says nothing for some beats is told of once, until it says something again', () => {
    const hearing = new Hearing();
    hearing.take('a', 5, 0);
    hearing.take('b', 5, 1);
    expect(hearing.takeSilent(DEAF_AFTER_MS)).toEqual([]);
    expect(hearing.takeSilent(DEAF_AFTER_MS + 1)).toEqual(['a']);
    expect(hearing.takeSilent(DEAF_AFTER_MS + 1)).toEqual([]);
    hearing.take('a', 6, DEAF_AFTER_MS + 2);
    expect(hearing.takeSilent(2 * DEAF_AFTER_MS + 3)).toEqual(['a', 'b']);
  });

  it('OPS-5 A44 a process is remembered for as long as what it told could be played again', () => {
    const hearing = new Hearing();
    hearing.take('a', 5, 0);
    hearing.forgetGone(GONE_AFTER_MS);
    expect(hearing.take('a', 5, GONE_AFTER_MS)).toBe('again');
    hearing.forgetGone(GONE_AFTER_MS + 1);
    expect(hearing.take('a', 2, GONE_AFTER_MS + 1)).toBe('next');
  });
});

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
