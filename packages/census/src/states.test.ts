import { UnitDayStatus } from '@wardline/contract/census/census.ts';
import { describe, expect, it } from 'vitest';
import { absenceOf, afterAct, isHandedIn, type UnitDayAct } from './states.ts';

const ACTS: readonly UnitDayAct[] = ['save', 'submit', 'withdraw', 'return', 'approve', 'lock', 'amend'];

describe('the states of a report', () => {
  it('CEN-3 CEN-R12 lead where the specification says, and nowhere else: what is handed in is not saved over', () => {
    const moves = UnitDayStatus.options.flatMap((status) =>
      ACTS.map((act) => [status, act, afterAct(status, act)]).filter(([, , to]) => to !== null),
    );
    expect(moves.map((move) => move.join(' '))).toEqual([
      'draft save draft',
      'draft submit submitted',
      'submitted withdraw draft',
      'submitted return returned',
      'submitted approve approved',
      'returned save returned',
      'returned submit submitted',
      'approved lock locked',
      'approved amend amending',
      'locked amend amending',
      'amending save amending',
      'amending submit submitted',
    ]);
  });

  it('CEN-6 a report counts as in from its submission on, also while it is corrected, and not when it was returned', () => {
    expect(UnitDayStatus.options.filter((status) => isHandedIn(status))).toEqual([
      'submitted',
      'approved',
      'locked',
      'amending',
    ]);
    expect(isHandedIn(null)).toBe(false);
  });

  it.each([
    [null, ['due'], 'not in yet'],
    ['draft', ['due'], 'not in yet'],
    [null, [], 'not in yet'],
    [null, ['late'], 'missing'],
    ['draft', ['missing'], 'missing'],
    ['returned', ['late'], 'returned'],
    ['returned', ['due'], 'returned'],
    ['submitted', ['late'], null],
    ['amending', [], null],
  ] as const)('CEN-6 a report that is %s and %s is said in one word: %s', (status, conditions, word) => {
    expect(absenceOf({ status, conditions })).toBe(word);
  });
});
