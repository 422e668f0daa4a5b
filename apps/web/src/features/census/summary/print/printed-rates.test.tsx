// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { cleanup, render } from '@testing-library/react';

import type { FacilityDay } from '@wardline/contract/census-day.ts';
import type { CensusSummary, Sums } from '@wardline/contract/census-summary.ts';
import fc from 'fast-check';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { stBrigid } from '#/testing/fake-chats.ts';
import { date, fakeDay, fakeSums } from '../testing/fake-summary.tsx';
import { linesOf, wrongRates } from '../testing/recompute-sheet.ts';
import { CompilationSheet } from './compilation-sheet.tsx';
import { DaySheet } from './day-sheet.tsx';
import { DohSheet } from './doh-sheet.tsx';
import { UnitSheets } from './unit-sheets.tsx';

afterEach(cleanup);

const period = { kind: 'month' as const, from: '2026-11-01', to: '2026-11-30' };
const context = { facility: stBrigid, period, by: 'Ana Reyes', at: new Date('2026-11-20T09:00:00Z') };

function sheetsOf(element: ReactNode): HTMLElement[] {
  return [...render(element).container.querySelectorAll<HTMLElement>('article')];
}

const count = (max: number) => fc.nat({ max });

/** Sums as they may come about: reports missing, units without beds, more patients than beds, nothing at all. */
const sums: fc.Arbitrary<Sums> = fc
  .record({
    days: fc.integer({ min: 1, max: 366 }),
    expected: fc.integer({ min: 1, max: 3000 }),
    out: count(40),
    deaths: count(30),
    early: count(30),
    waiting: count(90),
    figures: fc.array(count(40_000), { minLength: 12, maxLength: 12 }),
    stays: fc.option(count(90_000), { nil: null }),
  })
  .map(({ days, expected, out, deaths, early, waiting, figures, stays }) => {
    const [census = 0, beds = 0, licensed = 0, staffed = 0, ...flows] = figures;
    const [admissions = 0, births = 0, tin = 0, tout = 0, discharges = 0, sameDay = 0, leave = 0, seen = 0] = flows;
    const absent = Math.min(leave, census);
    const service = census - absent + sameDay;
    const reported = Math.max(0, expected - out);
    return {
      ...{ days, units_expected: expected, units_reported: reported, units_on_time: Math.max(0, reported - 3) },
      ...{ census_days: census, service_days: service, occupancy_service_days: Math.max(0, service - waiting) },
      ...{ bed_days: beds, licensed_bed_days: licensed, staffed_bed_days: staffed, blocked_bed_days: 0 },
      ...{ admissions, births, transfers_in: tin, transfers_out: tout, discharges, deaths: deaths + early },
      ...{ deaths_u48: early, ad_same_day: sameDay, discharge_days: stays },
      ...{ on_leave: absent, observation: Math.min(seen, census, service) },
    };
  });

const summaries = fc
  .record({ adult_child: sums, newborn: sums, denominator: fc.constantFrom('licensed', 'physical', 'staffed') })
  .map(({ adult_child, newborn, denominator }): CensusSummary => {
    const fake = fakeSums(period.from, period.to);
    const total = { adult_child, newborn: { ...newborn, days: adult_child.days } };
    const units = fake.units.map((unit) => ({ ...unit, sums: total[unit.class] }));
    return { ...fake, denominator, total, units, steps: [{ ...period, status: null, sums: total }] };
  });

const days = fc
  .array(fc.record({ service: fc.option(count(60), { nil: null }), beds: count(50), counts: fc.boolean() }), {
    minLength: 4,
    maxLength: 4,
  })
  .map((made): FacilityDay => {
    const units = fakeDay().units.map((unit, index) => {
      const { service = null, beds = 0, counts = true } = made[index] ?? {};
      const numbers = { licensed: beds, physical: beds + 1, staffed: beds + 2, surge: 0, blocked: 0 };
      return { ...unit, service_days: service, counts_in_occupancy: counts, beds: numbers };
    });
    return fakeDay({ units });
  });

const RUNS = { numRuns: 15, seed: 7 };

describe('what is printed can be worked out again from the figures on the same sheet', () => {
  it('F-N7 CEN-6 every rate of the DOH report, from figures that stand as lines of their own', () => {
    fc.assert(
      fc.property(summaries, (summary) => {
        const [sheet] = sheetsOf(<DohSheet context={context} summary={summary} logHead={null} />);
        if (sheet === undefined) throw new Error('nothing was printed');
        expect(wrongRates(sheet)).toEqual([]);
        const lines = linesOf(sheet);
        const figures = new Set(lines.map(({ figure }) => figure.replace('*', '')));
        const divided = lines.filter(({ figure, from }) => from.includes('÷') && figure !== '–');
        const strange = divided.flatMap(({ from }) => from.split(' ÷ ')).filter((figure) => !figures.has(figure));
        expect(strange).toEqual([]);
        cleanup();
      }),
      RUNS,
    );
  });

  it('F-N7 CEN-6 every rate of the compilation', () => {
    fc.assert(
      fc.property(summaries, (summary) => {
        const shown = { context, summary, by: 'day', newest: date, logHead: null } as const;
        const [sheet] = sheetsOf(<CompilationSheet {...shown} />);
        if (sheet === undefined) throw new Error('nothing was printed');
        expect(wrongRates(sheet)).toEqual([]);
        cleanup();
      }),
      RUNS,
    );
  });

  it('F-N7 CEN-6 every rate of the day’s sheet and of the units’', () => {
    fc.assert(
      fc.property(summaries, days, (summary, day) => {
        const oneDay = { ...summary, from: date, to: date };
        const sheets = [
          ...sheetsOf(<DaySheet context={context} day={day} summary={oneDay} />),
          ...sheetsOf(<UnitSheets context={context} day={day} />),
        ];
        expect(sheets).toHaveLength(5);
        expect(sheets.flatMap(wrongRates)).toEqual([]);
        cleanup();
      }),
      RUNS,
    );
  });

  it('F-N7 the program that works the rates out notices a wrong one, and one that is made of nothing', () => {
    const summary = fakeSums(period.from, period.to);
    const [sheet] = sheetsOf(<DohSheet context={context} summary={summary} logHead={null} />);
    if (sheet === undefined) throw new Error('nothing was printed');
    const cellOf = (label: string, column: number) =>
      [...sheet.querySelectorAll('tr')].find(({ textContent }) => textContent?.startsWith(label))?.children[column];
    expect(wrongRates(sheet)).toEqual([]);
    cellOf('Bed occupancy rate', 1)?.replaceChildren('66.68 %');
    cellOf('Gross death rate', 2)?.replaceChildren('deaths');
    expect(wrongRates(sheet)).toEqual([
      'Bed occupancy rate, by authorised beds: 66.68 % printed, 40 ÷ 60 is 66.67 %',
      'Gross death rate: 12.50 % is made of nothing that is printed',
    ]);
  });
});
