// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { byPressure, formatPressure, occupancyOf, totalsOf } from './board-figures.ts';
import { formatAgo, formatBar, formatReporter } from './board-labels.ts';
import { board, icu, unit, units } from './testing/sample-board.ts';

const { bands } = board;

describe('the facility in numbers', () => {
  it('CEN-5 the total leaves out what is missing, beds and all, and keeps newborn and boarders apart', () => {
    expect(totalsOf(units)).toEqual({
      inCensus: 92,
      unitsIn: 7,
      units: 8,
      seenSince: 0,
      occupied: 77,
      staffed: 98,
      percent: '78.57',
      free: 18,
      blocked: 3,
      newborn: { present: 9, bassinets: 14 },
      boarders: { present: 6 },
    });
  });

  it('CEN-5 a unit that reports two populations is in when both are', () => {
    const both = [
      unit(1, { code: 'MAT', occupied: 4, staffed: 8 }),
      unit(1, { code: 'MAT', occupied: null, staffed: 6 }, { population: 'newborn' }),
    ];
    expect(totalsOf(both)).toMatchObject({ units: 1, unitsIn: 0, newborn: { present: null, bassinets: 0 } });
  });

  it('CEN-5 patients past the beds of one unit take no free bed of another', () => {
    const full = [unit(1, { code: 'A', occupied: 12, staffed: 10 }), unit(2, { code: 'B', occupied: 8, staffed: 10 })];
    expect(totalsOf(full)).toMatchObject({ occupied: 20, staffed: 20, free: 2, percent: '100.00' });
  });

  it('CEN-5 nothing counted has no number and no percentage: it is neither 0 patients nor 0 %', () => {
    expect(totalsOf([icu])).toMatchObject({ inCensus: null, occupied: null, percent: null, free: null, blocked: null });
    expect(occupancyOf(icu)).toBeNull();
  });
});

describe('pressure', () => {
  it('CEN-5 missing units stand first, then the fullest by the beds that can be used, then those not due, boarders last', () => {
    const due = unit(9, { code: 'DUE', occupied: null, staffed: 5 }, { conditions: ['due'] });
    expect(byPressure([...units, due]).map(({ unit_code }) => unit_code)).toEqual([
      'ICU',
      'ONC',
      'SUR 2B',
      'MED 3A',
      'PED',
      'NUR',
      'MAT',
      'DUE',
      'ED',
    ]);
  });

  it('CEN-5 patients where no bed can be used press more than any share of beds', () => {
    const shut = unit(9, { code: 'SHUT', occupied: 1, staffed: 2, blocked: 2 });
    expect(byPressure([...units.filter((one) => one !== icu), shut])[0]?.unit_code).toBe('SHUT');
  });

  it.each([
    [91, 100, null],
    [92, 100, 'At 92 %'],
    [93, 100, 'Over 92 %'],
    [100, 100, 'All beds taken'],
    [103, 100, '3 over staffed beds'],
    [1, 0, '1 over staffed beds'],
    [0, 0, null],
  ])('CEN-5 %i patients in %i staffed beds are told as %j', (occupied, staffed, text) => {
    expect(formatPressure(unit(1, { code: 'A', occupied, staffed }), bands)?.text ?? null).toBe(text);
  });
});

describe('words', () => {
  it('CEN-5 a count of this hour is told by its age, an older one by its time, one of another day with the day', () => {
    const at = Date.parse('2026-11-20T00:40:00Z');
    expect(formatAgo('2026-11-20T00:39:30Z', at, 'UTC')).toBe('just now');
    expect(formatAgo('2026-11-20T00:38:00Z', at, 'UTC')).toBe('2 min ago');
    expect(formatAgo('2026-11-19T23:41:00Z', at, 'UTC')).toBe('59 min ago');
    expect(formatAgo('2026-11-19T23:40:00Z', at, 'UTC')).toMatch(/^Thu 19 Nov.*, 23:40$|^Thu Nov 19, 11:40.PM$/u);
    expect(formatAgo('2026-11-20T00:00:00Z', Date.parse('2026-11-20T08:00:00Z'), 'UTC')).toMatch(/^(00:00|12:00.AM)$/u);
  });

  it('CEN-5 the bar of a unit says in words what it shows', () => {
    expect(formatBar(unit(2, { code: 'SUR', occupied: 19, staffed: 24, blocked: 2 }))).toBe(
      '19 of 24 staffed beds occupied, 2 blocked, 3 free, 79.17 %',
    );
    expect(formatBar(icu)).toBe('Not counted, 10 staffed beds');
  });

  it('CEN-5 whom to ask is one or two by name, more by number', () => {
    const people = ['Ana', 'Leila', 'Priya'].map((name) => ({ id: icu.unit_id, name }));
    expect([0, 1, 2, 3].map((count) => formatReporter(people.slice(0, count)))).toEqual([
      null,
      'Ana',
      'Ana or Leila',
      '3 people',
    ]);
  });
});
