import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OutboxOperation, type OutboxReduce, OutboxWorld, outboxOperation } from '#/testing/simulate-outbox.ts';
import { SIMULATION_LIMIT_MS, SIMULATION_RUNS } from '#/testing/simulation-runs.ts';
import type { OutboxItem } from './outbox-item.ts';
import { reduceOutbox as reduceAny } from './outbox-reducer.ts';

const reduceOutbox: OutboxReduce = reduceAny;

interface Fault {
  readonly reduce?: OutboxReduce;
  readonly wireId?: (item: OutboxItem<string>) => string;
}

function play(operations: readonly OutboxOperation[], { reduce = reduceOutbox, wireId }: Fault = {}): void {
  const world = new OutboxWorld(reduce, wireId);
  for (const operation of operations) world.play(operation);
  world.finish();
}

const operations = fc.array(outboxOperation, { minLength: 10, maxLength: 120, size: 'max' });

/** Faults planted into the reducer, each of which the simulation has to find. */
const faults: Readonly<Record<string, Fault>> = {
  'an acknowledgement is taken for the first item instead of its own': {
    reduce(state, event) {
      const [item] = state.items;
      if (event.type !== 'delivered' || item === undefined || !event.delivery.isOwn) return reduceOutbox(state, event);
      const delivery = { ...event.delivery, item, clientId: item.clientId };
      return reduceOutbox(state, { ...event, delivery });
    },
  },
  'a repeat has a new client id': {
    wireId: ({ clientId, attempts }) => (attempts === 0 ? clientId : `${clientId}/${attempts}`),
  },
  'what could not be sent goes to the end of its lane': {
    reduce(state, event) {
      const next = reduceOutbox(state, event);
      if (event.type !== 'send-failed' || !event.failure.isTemporary) return next;
      const moved = next.state.items.map((item) =>
        item.clientId === event.clientId ? { ...item, order: item.order + 1000 } : item,
      );
      return { ...next, state: { ...next.state, items: moved.toSorted((a, b) => a.order - b.order) } };
    },
  },
  'a discard is forgotten by a reload': {
    reduce(state, event) {
      const { effects, ...next } = reduceOutbox(state, event);
      return { ...next, effects: effects.map((each) => (each.type === 'discard-row' ? { ...each, order: -1 } : each)) };
    },
  },
  'a timer that fires twice sends twice': {
    reduce: (state, event) =>
      reduceOutbox(event.type === 'retry-due' ? { ...state, busy: new Map(), retry: planned } : state, event),
  },
  'an item leaves the device when it is sent': {
    reduce(state, event) {
      const next = reduceOutbox(state, event);
      const early = next.effects.flatMap((each) =>
        each.type === 'send' ? [{ type: 'remove-row' as const, removal: { item: each.item, changes: [] } }] : [],
      );
      return { ...next, effects: [...next.effects, ...early] };
    },
  },
  'a tab sends without the lock': {
    reduce(state, event) {
      const next = reduceOutbox(state, event);
      if (next.state.lock !== 'asked') return next;
      const granted = reduceOutbox(next.state, { type: 'lock-granted', now: event.now, random: event.random });
      return { ...granted, effects: [...next.effects, ...granted.effects] };
    },
  },
  'an older read of the device brings back what is gone': {
    reduce: (state, event) =>
      reduceOutbox(
        event.type === 'rows-read' ? { ...state, read: { version: state.version }, goneIds: new Set() } : state,
        event,
      ),
  },
  'nothing rests after a failure and nobody tries again': {
    reduce(state, event) {
      const { effects, ...next } = reduceOutbox(state, event);
      return { ...next, effects: effects.filter(({ type }) => type !== 'set-timer') };
    },
  },
  'a clock that is set back stretches what the server asked to wait': {
    reduce(state, event) {
      const { effects, ...next } = reduceOutbox(state, event);
      const waitMs = state.notBefore - event.now;
      if (event.type !== 'retry-due' || waitMs <= 60_000) return { ...next, effects };
      return { ...next, effects: [...effects, { type: 'set-timer', delayMs: waitMs }] };
    },
  },
};
const planned = { stepMs: 1000, isPlanned: true };

describe('the outbox reducer', () => {
  it(
    'CHAT-3 R4 R5 R6 the outbox loses, doubles and reorders nothing, whatever happens to tabs, network, device and clock',
    () =>
      fc.assert(
        fc.property(operations, (list) => play(list)),
        SIMULATION_RUNS,
      ),
    SIMULATION_LIMIT_MS,
  );

  it.each(Object.entries(faults))('the simulation above notices a planted fault: %s', (_name, fault) => {
    const run = fc.check(
      fc.property(operations, (list) => play(list, fault)),
      { numRuns: 2000, endOnFailure: true, seed: 1 },
    );
    expect(run.failed).toBe(true);
  });
});
