import { type Counts, REQUIRED_FIELDS } from '@wardline/contract/census/census.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BalanceInput,
  balanceInput,
  balanceOf,
  balanceWhile,
  NO_COUNTS,
  nilCounts,
  parseCount,
} from './balance.ts';
import { UNIT_DAYS } from './testing/fixtures.ts';

const count = fc.nat(200);
const dayInput = fc.record({
  admissions: count,
  births: count,
  transfers_in: count,
  discharges: count,
  deaths: count,
  transfers_out: count,
  ad_same_day: count,
  on_leave: count,
});

describe('the balance of a unit-day', () => {
  it.each(UNIT_DAYS)('CEN-1 $id comes to what the textbook says', ({ input, comes }) => {
    expect(balanceOf(input)).toEqual(comes);
  });

  it('CEN-1 transfers cancel within a facility: its closing is what came from and went outside', () => {
    const units = UNIT_DAYS.filter(({ id }) => id.startsWith('A3')).map(({ input }) => input);
    expect(units.map(({ transfers_in }) => transfers_in).reduce((a, b) => a + b)).toBe(4);
    expect(units.map((input) => balanceOf(input).closing).reduce((a, b) => a + b)).toBe(41);
  });

  it('CEN-1 whoever moves between units, the facility closes with opening + admissions + births − discharges − deaths', () => {
    const facility = fc.record({
      units: fc.array(fc.record({ opening: count, day: dayInput }), { minLength: 2, maxLength: 8 }),
      moves: fc.array(fc.record({ from: fc.nat(7), to: fc.nat(7), count: fc.nat(20) }), { maxLength: 20 }),
    });
    fc.assert(
      fc.property(facility, ({ units, moves }) => {
        const moved = moves.filter(({ from, to }) => from !== to && from < units.length && to < units.length);
        const of = (unit: number, side: 'from' | 'to') =>
          moved.filter((move) => move[side] === unit).reduce((sum, move) => sum + move.count, 0);
        const days = units.map(({ opening, day }, unit) => ({
          ...day,
          opening,
          transfers_in: of(unit, 'to'),
          transfers_out: of(unit, 'from'),
        }));
        const closings = days.reduce((sum, day) => sum + balanceOf(day).closing, 0);
        const outside = days.reduce(
          (sum, day) => sum + day.opening + day.admissions + day.births - day.discharges - day.deaths,
          0,
        );
        expect(closings).toBe(outside);
      }),
    );
  });

  it('CEN-3 a chain that is recomputed from its first day ends where carrying each closing forward ended', () => {
    fc.assert(
      fc.property(count, fc.array(dayInput, { minLength: 1, maxLength: 60 }), (seed, days) => {
        const carried = days.reduce((opening, day) => balanceOf({ ...day, opening }).closing, seed);
        const net = days
          .map(
            (day) => day.admissions + day.births + day.transfers_in - day.discharges - day.deaths - day.transfers_out,
          )
          .reduce((sum, change) => sum + change, 0);
        expect(carried).toBe(seed + net);
      }),
    );
  });

  it('CEN-3 a correction moves the closing of every later day by the same number, and nothing else of them', () => {
    const chainOf = (seed: number, days: readonly Omit<BalanceInput, 'opening'>[]) => {
      let opening = seed;
      return days.map((day) => {
        const balance = balanceOf({ ...day, opening });
        opening = balance.closing;
        return balance;
      });
    };
    fc.assert(
      fc.property(
        count,
        fc.array(dayInput, { minLength: 2, maxLength: 30 }),
        fc.nat(29),
        fc.nat(5),
        (seed, days, at, more) => {
          const place = at % days.length;
          const corrected = days.map((day, index) =>
            index === place ? { ...day, discharges: day.discharges + more } : day,
          );
          const [before, after] = [chainOf(seed, days), chainOf(seed, corrected)];
          const moved = before.map(({ closing }, index) => closing - (after[index]?.closing ?? Number.NaN));
          expect(moved).toEqual(days.map((_, index) => (index < place ? 0 : more)));
        },
      ),
    );
  });
});

describe('the balance while somebody types', () => {
  const full: Counts = { ...nilCounts(22), admissions: 3, transfers_in: 3, discharges: 4, deaths: 1, transfers_out: 3 };

  it('CEN-1 is there as soon as its last part is given, whether or not heads were counted', () => {
    expect(balanceWhile(24, full)).toEqual({ closing: 22, present: 22, service_days: 22 });
    expect(balanceWhile(24, { ...full, counted: null, deaths_u48: null, observation: null })?.closing).toBe(22);
  });

  it('CEN-1 is not there while the opening or any part of it is not given: a blank is not a 0', () => {
    expect(balanceWhile(null, full)).toBeNull();
    const parts = [
      'admissions',
      'births',
      'transfers_in',
      'discharges',
      'deaths',
      'transfers_out',
      'ad_same_day',
      'on_leave',
    ] as const;
    for (const part of parts) expect(balanceWhile(24, { ...full, [part]: null }), part).toBeNull();
    expect(balanceInput(24, NO_COUNTS)).toBeNull();
  });

  it('CEN-1 a nil report leaves the unit as it was and still waits for the head count', () => {
    expect(nilCounts().counted).toBeNull();
    expect(REQUIRED_FIELDS.filter((field) => nilCounts()[field] === null)).toEqual(['counted']);
    expect(balanceWhile(17, nilCounts(17))).toEqual({ closing: 17, present: 17, service_days: 17 });
  });
});

describe('a typed count', () => {
  it.each([
    ['0', 0],
    ['22', 22],
    [' 7 ', 7],
    ['007', 7],
    ['9999', 9999],
    ['', null],
    ['  ', null],
  ])('CEN-2 CEN-R3 "%s" is %j', (text, value) => {
    expect(parseCount(text)).toBe(value);
  });

  it.each(['-1', '+1', '2.5', '2,5', '3a', '1e3', '0x1f', '10000', '1 000', '1,234', '٣', 'NaN', '−2'])(
    'CEN-2 CEN-R3 "%s" is no count',
    (text) => {
      expect(parseCount(text)).toBeUndefined();
    },
  );
});
