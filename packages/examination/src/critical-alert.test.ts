import { CRITICAL_STATES, type CriticalState } from '@wardline/contract/chat/critical.ts';
import { describe, expect, it } from 'vitest';
import { type CriticalEvent, isOpen, transition, waitsForReadBack } from './critical-alert.ts';

const EVENTS = [
  ...(['notified', 'escalated', 'exhausted', 'resumed', 'received'] as const),
  ...(['read_back_wrong', 'read_back_right', 'acted', 'closed', 'withdrawn'] as const),
];
const AT = '2026-11-19T03:10:00.000Z';
const LATER = '2026-11-19T03:20:00.000Z';
const NOTHING = {
  ...{ identified_at: AT, notified_at: null, received_at: null, read_back_at: null, acted_at: null, closed_at: null },
};

/** As the specification says it: identified → notifying → received → read back → acted → closed, with escalated and exhausted. */
const calling: Partial<Record<CriticalEvent, CriticalState>> = {
  ...{ escalated: 'escalated', exhausted: 'exhausted', withdrawn: 'withdrawn' },
};
const answered: Partial<Record<CriticalEvent, CriticalState>> = {
  ...{ received: 'received', read_back_wrong: 'received', read_back_right: 'read_back_ok' },
};
const ALLOWED: Readonly<Record<CriticalState, Partial<Record<CriticalEvent, CriticalState>>>> = {
  identified: { ...calling, notified: 'notifying' },
  notifying: { ...calling, ...answered, notified: 'notifying' },
  escalated: { ...calling, ...answered, notified: 'escalated' },
  exhausted: { ...answered, withdrawn: 'withdrawn' },
  received: { ...calling, ...answered, notified: 'received' },
  read_back_ok: { notified: 'read_back_ok', resumed: 'notifying', acted: 'acted', withdrawn: 'withdrawn' },
  acted: { closed: 'closed' },
  closed: {},
  withdrawn: {},
};
const pairs = CRITICAL_STATES.flatMap((state) => EVENTS.map((event) => [state, event] as const));

describe('a critical alert', () => {
  it.each(pairs)('EXAM-5 CHAT-7 that is %s takes “%s” as the specification says', (state, event) => {
    const now = { state, version: 4, times: NOTHING };
    const change = transition(now, event, LATER);
    const to = ALLOWED[state][event];
    if (to === undefined) return expect(change).toEqual({ kind: 'impossible' });
    if (change.kind === 'unchanged') return expect([to, event]).toEqual([state, expect.stringMatching(/escal|exhau/)]);
    expect(change).toMatchObject({ kind: 'changed', next: { state: to, version: 5 } });
  });

  it('EXAM-5 keeps the time at which each step was reached first', () => {
    const story = [
      'notified',
      'escalated',
      'received',
      'read_back_wrong',
      'read_back_right',
      'acted',
      'closed',
    ] as const;
    let now = { state: 'identified' as CriticalState, version: 1, times: NOTHING as ReturnType<typeof timesOf> };
    for (const [minute, event] of story.entries()) {
      const change = transition(now, event, `2026-11-19T03:1${minute}:00.000Z`);
      if (change.kind === 'changed') now = change.next;
    }
    expect(now.state).toBe('closed');
    expect(Object.values(now.times).map((at) => at?.slice(14, 16))).toEqual(['10', '10', '12', '14', '15', '16']);
  });

  it('EXAM-5 a right read-back was received as well, and one that was lost is read back anew', () => {
    const notified = { state: 'notifying', version: 2, times: { ...NOTHING, notified_at: AT } } as const;
    const right = transition(notified, 'read_back_right', LATER);
    expect(right).toMatchObject({ next: { times: { received_at: LATER, read_back_at: LATER } } });
    if (right.kind !== 'changed') return;
    const resumed = transition(right.next, 'resumed', LATER);
    expect(resumed).toMatchObject({ next: { state: 'notifying', times: { received_at: LATER, read_back_at: null } } });
  });

  it('EXAM-5 the same again changes nothing, and only closed and withdrawn are over', () => {
    const received = { state: 'received', version: 3, times: { ...NOTHING, received_at: AT } } as const;
    expect(transition(received, 'read_back_wrong', LATER)).toEqual({ kind: 'unchanged' });
    expect(CRITICAL_STATES.filter((state) => !isOpen({ state }))).toEqual(['closed', 'withdrawn']);
    const waiting = ['identified', 'notifying', 'escalated', 'exhausted', 'received'];
    expect(CRITICAL_STATES.filter((state) => waitsForReadBack({ state }))).toEqual(waiting);
  });
});

function timesOf() {
  return { ...NOTHING } as Record<keyof typeof NOTHING, string | null> & { identified_at: string };
}
