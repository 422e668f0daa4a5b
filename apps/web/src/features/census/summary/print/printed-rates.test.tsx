// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { cleanup, render } from '@testing-library/react';

import { NO_COUNTS, nilCounts } from '@wardline/census/balance.ts';
import { noSums } from '@wardline/census/measures.ts';
import type { FacilityDay } from '@wardline/contract/census/day.ts';
import type { CensusSummary, Sums } from '@wardline/contract/census/summary.ts';
import fc from 'fast-check';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { stBrigid } from '#/testing/fake-chats.ts';
import { MeasuresTable } from '../cards/measures-card.tsx';
import { date, fakeDay, fakeSigned, fakeSums, signed } from '../testing/fake-summary.tsx';
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
    stays: count(90_000),
    separated: count(40),
    untold: count(2),
  })
  .map(({ days, expected, out, deaths, early, waiting, figures, stays, separated, untold }) => {
    const [census = 0, beds = 0, licensed = 0, staffed = 0, ...flows] = figures;
    const [admissions = 0, births = 0, tin = 0, tout = 0, discharges = 0, sameDay = 0, leave = 0, seen = 0] = flows;
    const absent = Math.min(leave, census);
    const service = census - absent + sameDay;
    const reported = Math.max(0, expected - out);
    return {
      ...noSums(days),
      ...{ units_expected: expected, units_reported: reported, units_on_time: Math.max(0, reported - 3) },
      ...{ census_days: census, service_days: service, occupancy_service_days: Math.max(0, service - waiting) },
      ...{ bed_days: beds, licensed_bed_days: licensed, staffed_bed_days: staffed, blocked_bed_days: 0 },
      ...{ admissions, births, transfers_in: tin, transfers_out: tout, discharges, deaths: deaths + early },
      ...{ deaths_u48: early, ad_same_day: sameDay, discharge_days: stays },
      ...{ occupancy_separations: discharges + deaths, occupancy_discharge_days: Math.max(0, stays - waiting) },
      ...{ separation_reports: separated, discharge_days_reports: Math.max(0, separated - untold) },
      ...{ on_leave: absent, observation: Math.min(seen, census, service) },
    };
  });

const summaries = fc
  .record({ adult_and_child: sums, newborn: sums, denominator: fc.constantFrom('licensed', 'physical', 'staffed') })
  .map(({ adult_and_child, newborn, denominator }): CensusSummary => {
    const fake = fakeSums(period.from, period.to);
    const total = { adult_and_child, newborn: { ...newborn, days: adult_and_child.days } };
    const units = fake.units.map((unit) => ({ ...unit, sums: total[unit.population] }));
    return { ...fake, denominator, total, units, steps: [{ ...period, status: null, sums: total }] };
  });

/** A unit's report as the rules allow it: the closing, the service days and the variance follow from the rest. */
const reportOf = (population: 'adult_and_child' | 'newborn') =>
  fc
    .record({
      into: fc.array(count(20), { minLength: 4, maxLength: 4 }),
      out: fc.array(count(9), { minLength: 6, maxLength: 6 }),
      variance: fc.integer({ min: -3, max: 3 }),
      beds: count(50),
      counts_in_occupancy: fc.boolean(),
      isIn: fc.boolean(),
      longer: fc.option(count(60), { nil: null }),
    })
    .map(({ into, out, variance, beds, counts_in_occupancy, isIn, longer }) => {
      const [more = 0, admissions = 0, born = 0, transfers_in = 0] = into;
      const births = population === 'newborn' ? born : 0;
      const [discharges = 0, deaths = 0, transfers_out = 0, stayed = 0, early = 0, left = 0] = out;
      const opening = more + discharges + deaths + transfers_out;
      const closing = opening + admissions + births + transfers_in - discharges - deaths - transfers_out;
      const on_leave = Math.min(left, closing);
      const ad_same_day = Math.min(stayed, discharges + deaths, admissions + births + transfers_in);
      const flows = { admissions, births, transfers_in, discharges, deaths, transfers_out };
      const parts = { deaths_u48: Math.min(early, deaths), ad_same_day, on_leave };
      const present = closing - on_leave;
      const gone = discharges + deaths;
      const stays = longer === null ? null : gone === 0 ? 0 : gone + longer;
      const counted = Math.max(0, present + variance);
      return {
        ...{ opening, closing, present, service_days: present + ad_same_day, counts_in_occupancy },
        counts: { ...nilCounts(counted), ...flows, ...parts, discharge_days: stays },
        variance_reason: counted === present ? null : 'One was counted twice.',
        status: isIn ? ('approved' as const) : null,
        beds: { licensed: beds, physical: beds + 1, staffed: beds + 2, surge: 0, blocked: 0 },
      };
    });

const days = fc
  .record({
    made: fc.tuple(
      reportOf('adult_and_child'),
      reportOf('adult_and_child'),
      reportOf('adult_and_child'),
      reportOf('newborn'),
    ),
    denominator: fc.constantFrom('licensed' as const, 'physical' as const, 'staffed' as const),
  })
  .map(({ made, denominator }): FacilityDay => {
    const nothing = { counts: NO_COUNTS, closing: null, present: null, service_days: null };
    const units = fakeDay().units.map((unit, index) => ({
      ...unit,
      ...made[index],
      ...(made[index]?.status === null && nothing),
    }));
    return fakeDay({ units, denominator, units_submitted: units.filter(({ status }) => status !== null).length });
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

  it('F-N1 F-N7 CEN-6 every rate and every computed figure of the day’s sheet and of the units’, signed or not', () => {
    fc.assert(
      fc.property(days, fc.boolean(), (day, isSigned) => {
        const printed = isSigned ? { ...day, ...signed } : day;
        const props = { context, day: printed, signed: fakeSigned(printed) };
        const sheets = [...sheetsOf(<DaySheet {...props} />), ...sheetsOf(<UnitSheets {...props} />)];
        expect(sheets).toHaveLength(5);
        expect(sheets.flatMap(wrongRates)).toEqual([]);
        cleanup();
      }),
      RUNS,
    );
  });

  it('F-N7 CEN-6 every measure of a period', () => {
    fc.assert(
      fc.property(summaries, (summary) => {
        const [table] = sheetsOf(
          <article>
            <MeasuresTable summary={summary} />
          </article>,
        );
        if (table === undefined) throw new Error('nothing was printed');
        expect(wrongRates(table)).toEqual([]);
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

  it('F-N1 the program notices a closing, a variance and service days that do not follow from their row', () => {
    const day = fakeDay(signed);
    const [sheet] = sheetsOf(<DaySheet context={context} day={day} signed={fakeSigned(day)} />);
    if (sheet === undefined) throw new Error('nothing was printed');
    const heads = [...sheet.querySelectorAll('thead tr > *')].map(({ textContent }) => textContent);
    const row = [...sheet.querySelectorAll('tr')].find(({ textContent }) => textContent?.startsWith('MED 3A'));
    const set = (head: string, text: string) => row?.children[heads.indexOf(head)]?.replaceChildren(text);
    const wrong = () => wrongRates(sheet).filter((line) => line.startsWith('MED 3A'));
    expect(wrong()).toEqual([]);
    set('Var.', '+1');
    expect(wrong()).toEqual(['MED 3A, Var.: 1 printed, 22 − (22 − 0) is 0']);
    set('Var.', '0');
    set('Service days', '23');
    set('Occ. %', '82.14');
    expect(wrong()).toEqual(['MED 3A, Service days: 23 printed, (22 − 0) + 0 is 22']);
  });
});
