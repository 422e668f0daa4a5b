import { EXAMINATION_STATES } from '@wardline/contract/examinations/examinations.ts';
import { describe, expect, it } from 'vitest';
import { type ExaminationEvent, transition } from './transition.ts';
import { closesUntilSent, projectMoves } from './waiting-moves.ts';

const EVENTS = ['request', 'start', 'return', 'sign', 'amend', 'cancel', 'mark_in_error'] as const;
const wanted = (event: ExaminationEvent, expectedVersion: number) => ({ event, expectedVersion, reason: 'Because' });
const pairs = EXAMINATION_STATES.flatMap((state) => EVENTS.map((event) => [state, event] as const));

describe('what waits to be sent', () => {
  it.each(pairs)(
    'CHAT-7 OFF-1 an examination that is %s shows a waiting “%s” where one may go on from it',
    (state, event) => {
      const now = { state, version: 4, reportVersion: 1 };
      const change = transition(now, wanted(event, 4));
      const goesOn = change.kind === 'changed' && ['request', 'start', 'return'].includes(event);
      const move = wanted(event, 4);
      const waiting = goesOn ? { now: change.next, counted: [move] } : { now, counted: [] };
      expect(projectMoves(now, [move])).toEqual(waiting);
      expect(closesUntilSent(event)).toBe(!['request', 'start', 'return'].includes(event));
    },
  );

  it('CHAT-7 OFF-1 goes on step by step, and stops where one does not fit', () => {
    const draft = { state: 'draft', version: 1, reportVersion: 0 } as const;
    const steps = [wanted('request', 1), wanted('start', 2), wanted('return', 3), wanted('start', 4)];
    expect(projectMoves(draft, steps).now).toEqual({ state: 'in_progress', version: 5, reportVersion: 0 });
    expect(projectMoves({ ...draft, version: 2 }, steps)).toMatchObject({ now: { state: 'draft' }, counted: [] });
    // The first two are done, and nobody here has heard of it.
    const begun = { state: 'in_progress', version: 3, reportVersion: 0 } as const;
    expect(projectMoves(begun, steps)).toMatchObject({ now: { version: 5 }, counted: steps.slice(2) });
    const signed = [wanted('request', 1), wanted('start', 2), wanted('sign', 3), wanted('amend', 4)];
    expect(projectMoves(draft, signed).now).toEqual({ state: 'in_progress', version: 3, reportVersion: 0 });
  });
});
