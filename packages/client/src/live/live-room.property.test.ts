import { LIVE_ENTRIES_MAX, LIVE_TTL_MAX_MS } from '@wardline/contract/live.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LiveReduce, LiveWorld, liveOperation } from '#/testing/simulate-live.ts';
import { SIMULATION_TIMEOUT_MS, simulationRuns } from '#/testing/simulation-runs.ts';
import { initialLiveRoom, type LiveRoomState, liveEntries, reduceLiveRoom, SAY_EVERY_MS } from './live-room-reducer.ts';

/** Seeded, so that a failure is played again as it was. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function simulate(reduce: LiveReduce): void {
  fc.assert(
    fc.property(fc.integer(), fc.array(liveOperation, { maxLength: 40 }), (seed, operations) => {
      const world = new LiveWorld(reduce, mulberry(seed));
      for (const operation of operations) world.play(operation);
      world.settle();
    }),
    simulationRuns(),
  );
}

const before = (event: { type: string }, change: (state: LiveRoomState) => LiveRoomState): LiveReduce => {
  return (state, given) => reduceLiveRoom(given.type === event.type ? change(state) : state, given);
};

describe('what is live in a chat', () => {
  it(
    'CHAT-12 R7 everybody comes to see the same, nothing outlives its time, nothing is seen of who may not',
    () => simulate(reduceLiveRoom),
    SIMULATION_TIMEOUT_MS,
  );

  it.each([
    [
      'counts are not compared',
      before({ type: 'heard' }, (state) => ({
        ...state,
        devices: new Map([...state.devices].map(([key, device]) => [key, { ...device, n: 0 }])),
      })),
    ],
    [
      'nothing ends by itself',
      ((state, event) =>
        reduceLiveRoom(
          {
            ...state,
            devices: new Map(
              [...state.devices].map(([key, device]) => [
                key,
                {
                  ...device,
                  entries: new Map([...device.entries].map(([path, live]) => [path, { ...live, until: 1e12 }])),
                },
              ]),
            ),
          },
          event,
        )) satisfies LiveReduce,
    ],
    [
      'who was taken out keeps what was seen',
      ((state, event) =>
        event.type === 'refused'
          ? reduceLiveRoom(state, { type: 'disconnected', now: event.now })
          : reduceLiveRoom(state, event)) satisfies LiveReduce,
    ],
  ] satisfies [string, LiveReduce][])('the simulation notices when %s', (_what, broken) => {
    expect(() => simulate(broken)).toThrow();
  });
});

describe('a page', () => {
  const device = '01970000-0000-7000-8000-000000000001';
  const other = '01970000-0000-7000-8000-000000000002';
  const heard = (now: number, n: number, paths: readonly string[], change: object = {}) => ({
    ...{ type: 'heard' as const, now, userId: 'mira', name: 'Mira Okafor', random: 0.5 },
    message: {
      ...{ device: other, n, entries: paths.map((path) => ({ path, value: 'editing', ttl_ms: 10_000 })) },
      ...change,
    },
  });
  const play = (...events: Parameters<typeof reduceLiveRoom>[1][]) =>
    events.reduce(
      (step, event) => {
        const next = reduceLiveRoom(step.state, event);
        return { state: next.state, said: [...step.said, ...next.effects.filter(({ type }) => type === 'say')] };
      },
      { state: initialLiveRoom(device), said: [] as unknown[] },
    );
  const seen = (state: LiveRoomState) => liveEntries(state).map(({ path, name }) => `${name}: ${path}`);

  it('CHAT-12 shows two windows of one person as one, and the person until the last of them is done', () => {
    const third = '01970000-0000-7000-8000-000000000003';
    const both = [heard(0, 1, ['k']), heard(1, 1, ['k'], { device: third })];
    expect(seen(play(...both).state)).toEqual(['Mira Okafor: k']);
    expect(seen(play(...both, heard(2, 2, [])).state)).toEqual(['Mira Okafor: k']);
    expect(seen(play(...both, heard(2, 2, []), heard(3, 2, [], { device: third })).state)).toEqual([]);
  });

  it('CHAT-12 takes nothing that comes late or twice, and forgets at its time by its own clock', () => {
    expect(seen(play(heard(0, 2, []), heard(1, 1, ['k'])).state)).toEqual([]);
    const once = [heard(5_000_000, 1, ['k']), heard(5_009_000, 1, ['k'])];
    expect(seen(play(...once, { type: 'time-passed', now: 5_009_999 }).state)).toEqual(['Mira Okafor: k']);
    expect(seen(play(...once, { type: 'time-passed', now: 5_010_000 }).state)).toEqual([]);
  });

  it('CHAT-12 nobody speaks for the page of another: the same device of another person is another', () => {
    const forged = { ...heard(1, 9, ['k']), userId: 'otto', name: 'Otto' };
    expect(seen(play(heard(0, 1, ['k']), forged, heard(2, 2, ['na'])).state)).toEqual(['Otto: k', 'Mira Okafor: na']);
  });

  it('RT-3 says a walk through many fields in steps, keeps its number of entries, and no time over the limit', () => {
    const patch = (now: number, path: string) => ({
      type: 'patched' as const,
      now,
      path,
      value: 'editing',
      ttlMs: 1e9,
    });
    const walk = Array.from({ length: 50 }, (_, index) => patch(100 + index, `f${index}`));
    const { said, state } = play({ type: 'subscribed', now: 0 }, ...walk, { type: 'time-passed', now: SAY_EVERY_MS });
    expect(said).toHaveLength(2);
    expect(state.own.size).toBe(LIVE_ENTRIES_MAX);
    const [, last] = said as { message: { entries: { ttl_ms: number }[] } }[];
    expect(Math.max(...(last?.message.entries ?? []).map(({ ttl_ms }) => ttl_ms))).toBeLessThanOrEqual(LIVE_TTL_MAX_MS);
  });

  it('CHAT-12 answers who has just come, once for several, and only where it has something to say', () => {
    const asks = (now: number, n: number) => heard(now, n, [], { asks: true });
    const later = { type: 'time-passed' as const, now: 10_000 };
    expect(play({ type: 'subscribed', now: 0 }, asks(5_000, 1), later).said).toHaveLength(1);
    const patched = { type: 'patched' as const, now: 1_000, path: 'k', value: 'editing', ttlMs: 30_000 };
    const { said } = play({ type: 'subscribed', now: 0 }, patched, asks(5_000, 1), asks(5_010, 2), later);
    expect(said).toHaveLength(3);
    expect(said[2]).toMatchObject({ message: { n: 3, entries: [{ path: 'k', ttl_ms: 21_000 }] } });
  });
});
