import { EXAMINATION_STATES, type ExaminationState } from '@wardline/contract/examinations/examinations.ts';
import { describe, expect, it } from 'vitest';
import {
  type ExaminationEvent,
  eventsFrom,
  eventTo,
  isEditable,
  isSigned,
  needsReason,
  transition,
} from './transition.ts';

const EVENTS = ['request', 'start', 'return', 'sign', 'amend', 'cancel', 'mark_in_error'] as const;

/** As the specification says it, and not as the code does. */
const ALLOWED: Readonly<Record<ExaminationState, Partial<Record<ExaminationEvent, ExaminationState>>>> = {
  draft: { request: 'requested', cancel: 'cancelled' },
  requested: { start: 'in_progress', cancel: 'cancelled', mark_in_error: 'entered_in_error' },
  in_progress: {
    ...{ sign: 'reported', return: 'requested', cancel: 'cancelled', mark_in_error: 'entered_in_error' },
  },
  reported: { amend: 'amended', mark_in_error: 'entered_in_error' },
  amended: { amend: 'amended', mark_in_error: 'entered_in_error' },
  cancelled: { mark_in_error: 'entered_in_error' },
  entered_in_error: {},
};
const pairs = EXAMINATION_STATES.flatMap((state) => EVENTS.map((event) => [state, event] as const));

describe('an examination', () => {
  it.each(pairs)('CHAT-7 that is %s takes “%s” as the specification says', (state, event) => {
    const now = { state, version: 4, reportVersion: isSigned(state) ? 2 : 0 };
    const to = ALLOWED[state][event];
    const change = transition(now, { event, expectedVersion: 4, reason: 'Because' });
    if (to === undefined) return expect(change).toEqual({ kind: 'impossible' });
    const reportVersion = now.reportVersion + (event === 'sign' || event === 'amend' ? 1 : 0);
    expect(change).toEqual({ kind: 'changed', next: { state: to, version: 5, reportVersion } });
    const unexplained = transition(now, { event, expectedVersion: 4, reason: null });
    const isExplained = ['return', 'amend', 'cancel', 'mark_in_error'].includes(event);
    expect(unexplained.kind).toBe(isExplained ? 'no_reason' : 'changed');
    expect(needsReason(event)).toBe(isExplained);
    expect(eventTo(state, to)).toBe(event);
  });

  it('CHAT-7 that was changed meanwhile says so before anything else', () => {
    const now = { state: 'cancelled', version: 5, reportVersion: 0 } as const;
    expect(transition(now, { event: 'start', expectedVersion: 4, reason: null })).toEqual({ kind: 'stale' });
    expect(transition(now, { event: 'mark_in_error', expectedVersion: 6, reason: null })).toEqual({ kind: 'stale' });
  });

  it('CHAT-7 offers what its state allows, and takes values before it is signed', () => {
    for (const state of EXAMINATION_STATES) {
      expect(eventsFrom(state).toSorted()).toEqual(Object.keys(ALLOWED[state]).toSorted());
    }
    expect(eventTo('draft', 'reported')).toBeNull();
    expect(EXAMINATION_STATES.filter(isEditable)).toEqual(['draft', 'in_progress']);
    expect(EXAMINATION_STATES.filter(isSigned)).toEqual(['reported', 'amended']);
  });
});
