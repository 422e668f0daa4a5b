import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type SessionOperation,
  type SessionReduce,
  SessionWorld,
  sessionOperation,
} from '#/testing/simulate-session.ts';
import { SIMULATION_TIMEOUT_MS, simulationRuns } from '#/testing/simulation-runs.ts';
import { reduceSession as reduceAny } from './session-reducer.ts';

const reduceSession: SessionReduce = reduceAny;

function play(
  operations: readonly SessionOperation[],
  reduce: SessionReduce = reduceSession,
  hasGuestGuard = false,
): void {
  const world = new SessionWorld(reduce, hasGuestGuard);
  for (const operation of operations) world.play(operation);
  world.finish();
}

const operations = fc.array(sessionOperation, { minLength: 10, maxLength: 100, size: 'max' });

/** Faults planted into the reducer, each of which the simulation has to find. */
const faults: Readonly<Record<string, SessionReduce>> = {
  'an answer from before a sign-in ends the session': (state, event) => {
    const flows = new Map([...state.flows].map(([id, flow]) => [id, { ...flow, epoch: state.epoch }]));
    return reduceSession({ ...state, flows }, event);
  },
  'a failed server is taken for a refusal': (state, event) =>
    reduceSession(state, event.type === 'step-failed' && event.status === 0 ? { ...event, status: 401 } : event),
  'a tab does not hear who signed in elsewhere': (state, event) =>
    event.type === 'tab-message' && event.message.type === 'signed-in'
      ? { state, effects: [] }
      : reduceSession(state, event),
  'a sign-out that the server did not hear is forgotten': (state, event) => {
    const { effects, ...next } = reduceSession(state, event);
    return { ...next, effects: effects.filter((effect) => effect.type !== 'owe-sign-out' || !effect.isOwed) };
  },
  'nobody asks when the network is back': (state, event) =>
    event.type === 'network-returned' ? { state, effects: [] } : reduceSession(state, event),
  'a copy that was opened too late stays open': (state, event) => {
    const { effects, ...next } = reduceSession(state, event);
    return { ...next, effects: effects.filter((effect) => effect.type !== 'close-copy') };
  },
  'two questions open one copy each': (state, event) => {
    const flows = new Map(
      [...state.flows].map(([id, flow]) => [
        id,
        flow.step === 'entering' ? { ...flow, step: 'asking' as const } : flow,
      ]),
    );
    return reduceSession({ ...state, flows }, event);
  },
};

describe('the session reducer', () => {
  it(
    'AUTH-1 AUTH-2 AUTH-5 a tab is signed in as whom the cookie is, and signed out only when the cookie has ended',
    () =>
      fc.assert(
        fc.property(operations, (list) => play(list)),
        simulationRuns(),
      ),
    SIMULATION_TIMEOUT_MS,
  );

  it(
    'F-L3 the same holds where a server answers a sign-in with a redirect while a session lives',
    () =>
      fc.assert(
        fc.property(operations, (list) => play(list, reduceSession, true)),
        simulationRuns(),
      ),
    SIMULATION_TIMEOUT_MS,
  );

  it.each(Object.entries(faults))('the simulation above notices a planted fault: %s', (_name, fault) => {
    const run = fc.check(
      fc.property(operations, (list) => play(list, fault)),
      { numRuns: 2000, endOnFailure: true, seed: 1 },
    );
    expect(run.failed).toBe(true);
  });
});
