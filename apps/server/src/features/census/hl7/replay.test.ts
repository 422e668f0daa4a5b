import fc from 'fast-check';
import { expect, it } from 'vitest';
import { replayVisit, type VisitEvent } from './replay.ts';

const MED = 1;
const SUR = 2;
const hour = (hours: number) => new Date(Date.UTC(2026, 10, 19) + hours * 3_600_000);
let arrived = 0;
const event = (
  trigger: string,
  hours: number,
  unitNo: number | null = MED,
  overrides: Partial<VisitEvent> = {},
): VisitEvent => ({
  controlId: `C${arrived}`,
  trigger,
  at: hour(hours),
  eventNo: ++arrived,
  unitNo,
  population: 'adult_and_child',
  isBirth: false,
  isDeath: false,
  ...overrides,
});
const said = (events: readonly VisitEvent[]) =>
  replayVisit(events).movements.map(
    ({ kind, unitNo, at }) => `${kind} ${unitNo} ${(at.getTime() - hour(0).getTime()) / 3_600_000}`,
  );

const story = [
  event('A01', 1),
  event('A02', 5, SUR),
  event('A21', 6, SUR),
  event('A22', 8, SUR),
  event('A03', 30, SUR),
];

it('CEN-8 an admission, a move, a leave and a discharge become movements and stays', () => {
  const { movements, stays } = replayVisit(story);
  expect(said(story)).toEqual(['admission 1 1', 'transfer_out 1 5', 'transfer_in 2 5', 'discharge 2 30']);
  expect(movements[1]?.partnerUnitNo).toBe(SUR);
  expect(stays.map(({ unitNo, isLeave, from, to }) => [unitNo, isLeave, from, to])).toEqual([
    [MED, false, hour(1), hour(5)],
    [SUR, false, hour(5), hour(6)],
    [SUR, true, hour(6), hour(8)],
    [SUR, false, hour(8), hour(30)],
  ]);
});

it('CEN-8 the order of arrival does not matter, and twice is once', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...story, ...story], { minLength: 10 }), (shuffled) => {
      expect(said(shuffled)).toEqual(said(story));
    }),
  );
});

it.each([
  ['A11 the admission', [event('A01', 1), event('A11', 1)], []],
  ['A11 that came first', [event('A11', 1), event('A01', 1)], []],
  ['A07 the admission, on its own day', [event('A01', 1), event('A07', 30)], []],
  ['A12 the newest move', [event('A01', 1), event('A02', 2, SUR), event('A12', 3)], ['admission 1 1']],
  ['A13 the discharge', [event('A01', 1), event('A03', 2), event('A13', 3)], ['admission 1 1']],
  ['A52 the leave', [event('A01', 1), event('A21', 2), event('A52', 3)], ['admission 1 1']],
])('CEN-8 %s is taken back', (_, events, movements) => {
  expect(said(events)).toEqual(movements);
  expect(replayVisit(events).stays.some(({ isLeave }) => isLeave)).toBe(false);
});

it('CEN-8 after a discharge that was taken back the stay goes on', () => {
  const { stays } = replayVisit([event('A01', 1), event('A03', 2), event('A13', 3)]);
  expect(stays).toEqual([{ unitNo: MED, population: 'adult_and_child', isLeave: false, from: hour(1), to: null }]);
});

it('CEN-8 what moves nobody counts nothing: another bed, a second admission, a move before the admission, an update', () => {
  expect(
    said([event('A02', 0, SUR), event('A01', 1), event('A01', 2, SUR), event('A02', 3), event('A08', 4, SUR)]),
  ).toEqual(['admission 1 1']);
});

it('CEN-8 a death under 48 h is known as one, a minute later it is not', () => {
  const dead = { isDeath: true };
  expect(replayVisit([event('A01', 0), event('A03', 47.99, MED, dead)]).movements[1]).toMatchObject({
    kind: 'death',
    isUnder48h: true,
  });
  expect(replayVisit([event('A01', 0), event('A03', 48, MED, dead)]).movements[1]?.isUnder48h).toBe(false);
  expect(replayVisit([event('A01', 0), event('A03', 2, MED)]).movements[1]?.isUnder48h).toBe(false);
});

it('CEN-8 a birth is counted as one, in its own population', () => {
  const born = { isBirth: true, population: 'newborn' } as const;
  expect(replayVisit([event('A01', 0, MED, born)]).movements).toMatchObject([{ kind: 'birth', population: 'newborn' }]);
});
