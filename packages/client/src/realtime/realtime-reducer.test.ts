import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type RealtimeOperation,
  type RealtimeReduce,
  RealtimeWorld,
  realtimeOperation,
} from '#/testing/simulate-realtime.ts';
import { SIMULATION_LIMIT_MS, SIMULATION_RUNS } from '#/testing/simulation-runs.ts';
import type { RealtimeEffect } from './realtime-events.ts';
import { reduceRealtime } from './realtime-reducer.ts';

function play(operations: readonly RealtimeOperation[], reduce: RealtimeReduce = reduceRealtime): void {
  const world = new RealtimeWorld(reduce);
  for (const operation of operations) world.play(operation);
  world.finish();
}

const operations = fc.array(realtimeOperation, { minLength: 10, maxLength: 120, size: 'max' });

/** The reducer without some of its effects. */
const without =
  (isLeftOut: (effect: RealtimeEffect) => boolean): RealtimeReduce =>
  (state, event) => {
    const { effects, ...next } = reduceRealtime(state, event);
    return { ...next, effects: effects.filter((effect) => !isLeftOut(effect)) };
  };

/** Faults planted into the reducer, each of which the simulation has to find. */
const faults: Readonly<Record<string, () => RealtimeReduce>> = {
  'after the second gap nobody is told to catch up'() {
    const told = new Map<string, number>();
    return without((effect) => {
      if (effect.type !== 'tell' || effect.notice.type !== 'subscribed') return false;
      const key = `${effect.channel.pattern} ${effect.joinIds.join()}`;
      told.set(key, (told.get(key) ?? 0) + 1);
      return (told.get(key) ?? 0) > 2;
    });
  },
  'who joins a subscribed channel is not told': () => without(({ type }) => type === 'settle-join'),
  'a refused channel is not asked for again': () => without(({ type }) => type === 'set-timer'),
  'every join subscribes': () => (state, event) => {
    const next = reduceRealtime(state, event);
    if (event.type !== 'join' || !state.isOpen) return next;
    const again = { type: 'subscribe' as const, channel: event.channel, id: event.id };
    return { ...next, effects: [...next.effects.filter(({ type }) => type !== 'subscribe'), again] };
  },
  'the first who leaves ends it for all': () => (state, event) => {
    const entry = event.type === 'leave' ? state.channels.get(event.name) : undefined;
    if (event.type !== 'leave' || entry === undefined) return reduceRealtime(state, event);
    const alone = new Map(state.channels).set(event.name, { ...entry, joinIds: [event.joinId] });
    return reduceRealtime({ ...state, channels: alone }, event);
  },
  'what is left stays subscribed': () => without(({ type }) => type === 'unsubscribe'),
  'what an earlier socket says is heard': () => (state, event) =>
    reduceRealtime(state, 'generation' in event ? { ...event, generation: state.generation } : event),
  'who went during a gap is still here': () => (state, event) => {
    const next = reduceRealtime(state, event);
    if (event.type !== 'message' && event.type !== 'connection-changed') return next;
    const channels = [...next.state.channels.values()].map((entry) => {
      const members = new Map([...(state.channels.get(entry.name)?.members ?? []), ...entry.members]);
      return [entry.name, { ...entry, members }] as const;
    });
    return { ...next, state: { ...next.state, channels: new Map(channels) } };
  },
};

describe('the realtime reducer', () => {
  it(
    'RTA-1 RTA-2 RTA-6 each wanted channel ends subscribed once, and after every gap what was said is asked for',
    () =>
      fc.assert(
        fc.property(operations, (list) => play(list)),
        SIMULATION_RUNS,
      ),
    SIMULATION_LIMIT_MS,
  );

  it.each(Object.entries(faults))('the simulation above notices a planted fault: %s', (_name, fault) => {
    const run = fc.check(
      fc.property(operations, (list) => play(list, fault())),
      { numRuns: 2000, endOnFailure: true, seed: 1 },
    );
    expect(run.failed).toBe(true);
  });
});
