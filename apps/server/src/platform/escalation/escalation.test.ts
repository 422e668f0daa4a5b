import { describe, expect, it, test } from 'vitest';
import {
  type Escalation,
  type EscalationEvent,
  type EscalationState,
  isOpen,
  startEscalation,
  type Transition,
  transition,
  waitsFor,
} from './escalation.ts';

const START = Date.parse('2026-11-24T02:00:00Z');
const minute = (minutes: number) => new Date(START + minutes * 60_000);
const STEPS = [
  { afterMin: 5, call: 'again' },
  { afterMin: 10, call: 'next' },
  { afterMin: 15, call: 'fallback' },
];
const MIRA = { userId: 'mira', roleId: null };
const ANA = { userId: 'ana', roleId: null };
const REGISTRAR = { userId: 'leila', roleId: 'registrar' };

const begun = (calls = [MIRA, ANA]) => startEscalation({ by: 'owen', at: minute(0), steps: STEPS, calls });
const due = (at: Date, calls: EscalationEvent & { type: 'due' } extends { calls: infer C } ? C : never) =>
  ({ type: 'due', at, calls }) as const;
const accepted = (by: string, at = 1) => ({ type: 'accepted', at: minute(at), by }) as const;
const acted = (by: string, at = 2, note = 'Platelets given') => ({ type: 'acted', at: minute(at), by, note }) as const;
const withdrawn = (by = 'owen', at = 2) => ({ type: 'withdrawn', at: minute(at), by, note: 'Wrong bed' }) as const;

/** What an event makes of it; fails where it changes nothing. */
function after(escalation: Escalation, event: EscalationEvent): Transition & { kind: 'changed' } {
  const done = transition(escalation, event);
  if (done.kind !== 'changed') throw new Error(`${event.type} in ${escalation.state}: ${done.kind}`);
  return done;
}
const next = (escalation: Escalation, ...events: EscalationEvent[]) =>
  events.reduce((state, event) => after(state, event).next, escalation);

/** One of each state, with Mira and Ana called at 0. */
const IN: Readonly<Record<EscalationState, Escalation>> = {
  calling: begun().next,
  exhausted: next(begun().next, due(minute(5), [MIRA]), due(minute(10), []), due(minute(15), []), due(minute(20), [])),
  accepted: next(begun().next, accepted('mira')),
  closed: next(begun().next, accepted('mira'), acted('mira')),
  withdrawn: next(begun().next, withdrawn()),
};

describe('each state with each event', () => {
  const far = minute(60);
  const EVENTS = {
    due: due(far, [MIRA]),
    delivered: { type: 'delivered', at: far, by: 'ana' },
    seen: { type: 'seen', at: far, by: 'ana' },
    accepted: accepted('ana', 60),
    acted: acted('ana', 60),
    withdrawn: withdrawn('owen', 60),
  } as const;
  const said = (done: Transition) =>
    done.kind === 'changed'
      ? `${done.next.state} ${done.entry?.kind ?? 'person'}`
      : done.kind === 'refused'
        ? done.why
        : '–';

  test.each([
    [
      'calling',
      [
        'calling repeated',
        'calling person',
        'calling person',
        'accepted accepted',
        'closed acted',
        'withdrawn withdrawn',
      ],
    ],
    [
      'exhausted',
      ['–', 'exhausted person', 'exhausted person', 'accepted accepted', 'closed acted', 'withdrawn withdrawn'],
    ],
    [
      'accepted',
      [
        'accepted reminded',
        'accepted person',
        'accepted person',
        'accepted accepted',
        'closed acted',
        'withdrawn withdrawn',
      ],
    ],
    ['closed', ['–', '–', '–', 'over', 'over', 'over']],
    ['withdrawn', ['–', '–', '–', 'over', 'over', 'over']],
  ] as const)('URG-1 CHAT-7 %s', (state, outcomes) => {
    expect(Object.values(EVENTS).map((event) => said(transition(IN[state], event)))).toEqual(outcomes);
  });
});

describe('the ladder', () => {
  it('URG-1 calls at once, again after 5 min, then further after 10 and 15, and says after 20 that nobody is left', () => {
    const start = begun();
    expect(start).toMatchObject({ calls: [MIRA, ANA], entry: { kind: 'sent', by: 'owen', called: ['mira', 'ana'] } });
    expect(start.next.dueAt).toEqual(minute(5));
    const again = after(start.next, due(minute(5), [MIRA, ANA]));
    expect(again.entry).toMatchObject({ kind: 'repeated', called: ['mira', 'ana'], dueAt: minute(5) });
    expect(again.next.people.map(({ times }) => times)).toEqual([2, 2]);
    const climbed = after(again.next, due(minute(10), [REGISTRAR]));
    expect(climbed).toMatchObject({ entry: { kind: 'climbed', called: ['leila'] }, next: { dueAt: minute(15) } });
    const last = after(climbed.next, due(minute(15), [REGISTRAR]));
    expect(last.next.dueAt).toEqual(minute(20));
    const over = after(last.next, due(minute(20), []));
    expect(over.next).toMatchObject({ state: 'exhausted', dueAt: null });
    expect(over.next.people.map((person) => waitsFor(over.next, person))).toEqual(['accept', 'accept', 'accept']);
  });

  it('URG-1 goes on at once where a step finds nobody, and still gives those before it their minutes', () => {
    const nobody = begun([]);
    expect(nobody.next.dueAt).toEqual(minute(0));
    const again = after(nobody.next, due(minute(0), []));
    expect(again.next.dueAt).toEqual(minute(0));
    expect(after(again.next, due(minute(0), [REGISTRAR])).next.dueAt).toEqual(minute(15));
  });

  it('URG-1 after a stop of the server for an hour its steps follow each other by a minute', () => {
    const again = after(begun().next, due(minute(62), [MIRA]));
    expect(again.next.dueAt).toEqual(minute(63));
    expect(after(again.next, due(minute(63), [ANA])).next.dueAt).toEqual(minute(64));
  });

  it('URG-1 does nothing before it is due', () => {
    expect(transition(begun().next, due(minute(4.99), [MIRA])).kind).toBe('unchanged');
  });

  it('URG-1 reminds who accepted three times, a quarter of an hour apart, and then leaves them alone', () => {
    const first = after(IN.accepted, due(minute(16), [MIRA]));
    expect(first).toMatchObject({ calls: [MIRA], entry: { kind: 'reminded' }, next: { dueAt: minute(31) } });
    const third = next(first.next, due(minute(31), [MIRA]), due(minute(46), [MIRA]));
    expect(third).toMatchObject({ state: 'accepted', dueAt: null });
  });

  it('URG-1 calls on where who accepted has gone', () => {
    const resumed = after(IN.accepted, due(minute(16), []));
    expect(resumed).toMatchObject({ entry: { kind: 'resumed' }, next: { state: 'calling', dueAt: minute(16) } });
    expect(resumed.next.people.every(({ acceptedAt }) => acceptedAt === null)).toBe(true);
    expect(after(resumed.next, due(minute(16), [MIRA])).entry?.kind).toBe('repeated');
  });
});

describe('who answers', () => {
  it('URG-1 only who was called accepts and closes it, and only its sender withdraws it', () => {
    expect(transition(IN.calling, accepted('leila'))).toEqual({ kind: 'refused', why: 'not_called' });
    expect(transition(IN.calling, acted('owen'))).toEqual({ kind: 'refused', why: 'not_called' });
    expect(transition(IN.calling, withdrawn('mira'))).toEqual({ kind: 'refused', why: 'not_sender' });
  });

  it('URG-1 a second one accepts beside the first, and the same again changes nothing', () => {
    const both = after(IN.accepted, accepted('ana', 3)).next;
    expect(both.people.map(({ acceptedAt }) => acceptedAt)).toEqual([minute(1), minute(3)]);
    expect(transition(both, accepted('ana', 4)).kind).toBe('unchanged');
    expect(both.people.map((person) => waitsFor(both, person))).toEqual(['act', 'act']);
  });

  it('URG-1 reading closes nothing, and is known once; who accepts has seen it', () => {
    const seen = after(IN.calling, { type: 'seen', at: minute(1), by: 'ana' });
    expect(seen).toMatchObject({ entry: null, next: { state: 'calling', version: 1, dueAt: minute(5) } });
    expect(seen.next.people[1]).toMatchObject({ deliveredAt: minute(1), seenAt: minute(1), acceptedAt: null });
    expect(transition(seen.next, { type: 'delivered', at: minute(2), by: 'ana' }).kind).toBe('unchanged');
    expect(IN.accepted.people[0]).toMatchObject({ seenAt: minute(1), deliveredAt: minute(1) });
  });

  it('URG-1 who closes it says what was done, and has accepted it by that', () => {
    const done = after(IN.calling, acted('ana'));
    expect(done).toMatchObject({ entry: { kind: 'acted', by: 'ana', note: 'Platelets given' }, next: { dueAt: null } });
    expect(done.next.people[1]?.acceptedAt).toEqual(minute(2));
    expect(Object.values(IN).map(isOpen)).toEqual([true, true, true, false, false]);
  });
});
