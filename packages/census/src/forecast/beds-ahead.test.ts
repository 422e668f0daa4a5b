import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../calendar.ts';
import { type DatedBeds, type DayAhead, firstShortage, staffedOn } from './beds-ahead.ts';

const FIRST = '2026-11-20';
const on = (day: number) => addDays(FIRST, day);

/** Beds that follow each other without a gap, each for so many days; the first always held, the last goes on. */
const plans = fc.array(fc.record({ days: fc.integer({ min: 1, max: 40 }), staffed: fc.nat(60) }), { minLength: 1 });

function planOf(stretches: readonly { days: number; staffed: number }[]): DatedBeds[] {
  let start = 0;
  return stretches.map(({ days, staffed }, index) => {
    const from = index === 0 ? null : on(start);
    start += days;
    return { from, until: index === stretches.length - 1 ? null : on(start), staffed };
  });
}

describe('the beds of a coming day', () => {
  it('CEN-9 a planned change of beds counts from its day on, not before', () => {
    const plan = [
      { from: null, until: '2026-11-24', staffed: 28 },
      { from: '2026-11-24', until: null, staffed: 24 },
    ];
    expect(['2026-11-20', '2026-11-23', '2026-11-24', '2027-01-01'].map((date) => staffedOn(plan, date))).toEqual([
      28, 28, 24, 24,
    ]);
  });

  it('CEN-9 nobody knows the beds of a date of which the settings say nothing', () => {
    const plan = [{ from: '2026-11-22', until: '2026-11-24', staffed: 6 }];
    expect(['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24'].map((date) => staffedOn(plan, date))).toEqual([
      null,
      6,
      6,
      null,
    ]);
    expect(staffedOn([], FIRST)).toBeNull();
  });

  it('CEN-9 whatever is planned, each day has the beds of the stretch it lies in, in whatever order it was told', () => {
    fc.assert(
      fc.property(plans, fc.nat(400), fc.boolean(), (stretches, day, isTurned) => {
        const everyDay = stretches.flatMap(({ days, staffed }) => Array.from({ length: days }, () => staffed));
        const plan = isTurned ? planOf(stretches).toReversed() : planOf(stretches);
        expect(staffedOn(plan, on(day))).toBe(everyDay[day] ?? stretches.at(-1)?.staffed);
      }),
    );
  });
});

const patients = fc.integer({ min: 0, max: 1200 }).map((tenths) => tenths / 10);
const days = fc
  .array(
    fc.record(
      { value: patients, beds: fc.option(fc.nat(100)), outside: fc.option(patients) },
      { noNullPrototype: true },
    ),
    { maxLength: 14 },
  )
  .map((told) => told.map((day, index): DayAhead => ({ census_date: on(index), ...day })));

const day = (date: string, value: number, beds: number | null, outside: number | null = null): DayAhead => ({
  census_date: date,
  value,
  beds,
  outside,
});

describe('whether the beds do', () => {
  it('CEN-9 each day is judged with the beds of that day', () => {
    const steady = [day('2026-11-20', 26, 28), day('2026-11-21', 26, 28), day('2026-11-22', 26, 24)];
    expect(firstShortage(steady)).toEqual({ kind: 'over_beds', day: steady[2] });
    expect(firstShortage(steady.slice(0, 2))).toBeNull();
  });

  it('CEN-9 who waits outside the beds is judged apart, and a day over the beds goes before it', () => {
    const waiting = day('2026-11-20', 95, 98, 6);
    const over = day('2026-11-22', 98.1, 98, 0);
    expect(firstShortage([waiting])).toEqual({ kind: 'with_outside', day: waiting });
    expect(firstShortage([waiting, over])).toEqual({ kind: 'over_beds', day: over });
    expect(firstShortage([day('2026-11-20', 95, 98, 3)])).toBeNull();
  });

  it('CEN-9 is judged as it is told: 98.04 patients are 98.0, for which 98 beds do', () => {
    expect(firstShortage([day('2026-11-20', 98.04, 98)])).toBeNull();
    expect(firstShortage([day('2026-11-20', 98.06, 98)])?.kind).toBe('over_beds');
    expect(firstShortage([day('2026-11-20', 0.04, 0)])).toBeNull();
    expect(firstShortage([day('2026-11-20', 9, null, 6)])).toBeNull();
  });

  it('CEN-9 whatever is expected: nothing is short before the day that is named, and more beds never make it earlier', () => {
    const isOver = ({ value, beds }: DayAhead) => beds !== null && value > beds;
    const isShort = ({ value, beds, outside }: DayAhead) =>
      beds !== null && outside !== null && value + outside > beds + 1e-6;
    fc.assert(
      fc.property(days, fc.nat(20), (told, more) => {
        const found = firstShortage(told);
        const [overAt, shortAt] = [told.findIndex(isOver), told.findIndex(isShort)];
        const at = overAt >= 0 ? overAt : shortAt;
        expect(found?.day ?? null).toBe(told[at] ?? null);
        expect(found?.kind ?? null).toBe(overAt >= 0 ? 'over_beds' : shortAt >= 0 ? 'with_outside' : null);
        const roomier = told.map((one) => ({ ...one, beds: one.beds === null ? null : one.beds + more }));
        const later = firstShortage(roomier);
        if (later && found?.kind === later.kind) expect(later.day.census_date >= found.day.census_date).toBe(true);
        if (later) expect(found).not.toBeNull();
      }),
    );
  });
});
