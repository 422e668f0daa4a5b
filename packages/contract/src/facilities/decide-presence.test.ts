import { expect, it } from 'vitest';
import { type DutyFacts, dutyOf, lastSeenOf } from './decide-presence.ts';

const NOW = Date.parse('2026-11-24T12:00:00Z');
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const nothing: DutyFacts = { shift_until: null, on_duty_until: null, busy: null };

it.each<[says: string, known: Partial<DutyFacts>, state: string, untilMin: number | null]>([
  ['nobody said anything', {}, 'off_duty', null],
  ['a shift lasts', { shift_until: at(60) }, 'on_duty', 60],
  ['a shift ends at this instant', { shift_until: at(0) }, 'off_duty', null],
  ['they say it themselves', { on_duty_until: at(90) }, 'on_duty', 90],
  ['their word is over', { on_duty_until: at(-1) }, 'off_duty', null],
  ['shift and word: the later end counts', { shift_until: at(60), on_duty_until: at(30) }, 'on_duty', 60],
  ['busy within a shift', { shift_until: at(60), busy: { until: at(30), reason: 'in_theatre' } }, 'busy', 30],
  ['busy beyond a shift', { shift_until: at(10), busy: { until: at(30), reason: null } }, 'busy', 30],
  ['busy is over, the shift is not', { shift_until: at(60), busy: { until: at(-5), reason: null } }, 'on_duty', 60],
  ['busy is over, on duty by their word', { on_duty_until: at(5), busy: { until: at(0), reason: null } }, 'on_duty', 5],
  ['all of it is over', { shift_until: at(-1), busy: { until: at(-1), reason: null } }, 'off_duty', null],
])('CHAT-12 presence: %s', (_says, known, state, untilMin) => {
  const duty = dutyOf({ ...nothing, ...known }, NOW);
  expect(duty.state).toBe(state);
  expect(duty.until).toBe(untilMin === null ? null : NOW + untilMin * 60_000);
});

it('CHAT-12 says why somebody is busy while they are, and not longer', () => {
  const known: DutyFacts = { ...nothing, shift_until: at(60), busy: { until: at(30), reason: 'ward_round' } };
  expect(dutyOf(known, NOW).reason).toBe('ward_round');
  expect(dutyOf(known, NOW + 31 * 60_000).reason).toBeNull();
});

it.each([
  [0, 0, 'now'],
  [599, 0, 'now'],
  [599, 1, 'now'],
  [600, 0, 'hour'],
  [3599, 1, 'hour'],
  [3600, 0, 'today'],
  [3600, 1, 'yesterday'],
  [86_000, 0, 'today'],
  [170_000, 1, 'yesterday'],
  [100_000, 2, 'week'],
  [518_400, 6, 'week'],
  [600_000, 7, null],
] as const)('CHAT-12 says of %i s ago, %i days of the calendar, no more than %s', (secondsAgo, daysAgo, said) => {
  expect(lastSeenOf({ secondsAgo, daysAgo })).toBe(said);
});
