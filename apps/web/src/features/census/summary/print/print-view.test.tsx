// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { noSums } from '@wardline/census/measures.ts';
import { notePrint } from '@wardline/contract/census/logs.ts';
import { getCensusSummary } from '@wardline/contract/census/summary.ts';
import { describe, expect, it, vi } from 'vitest';
import { press } from '#/features/census/summary/testing/summary-actions.ts';
import { date, fakeDay, fakeSums, setUpSummary, signed } from '../testing/fake-summary.tsx';

/** A period in which the population was expected and nobody has reported it. */
function sumsWithout(population: 'adult_and_child' | 'newborn', { from, to }: { from: string; to: string }) {
  const { total, units, ...sums } = fakeSums(from, to);
  const nothing = { ...noSums(1), units_expected: total[population].units_expected };
  return {
    ...sums,
    total: { ...total, [population]: nothing },
    units: units.map((unit) =>
      unit.population === population ? { ...unit, sums: { ...noSums(1), units_expected: 1 } } : unit,
    ),
  };
}

describe('CEN-6 on paper', () => {
  it.each([
    ['units', `by=day&from=${date}&to=${date}&print=units`, 4],
    ['day', `by=day&from=${date}&to=${date}&print=day`, 1],
    ['month', 'by=month&from=2026-11-01&print=month', 1],
    ['doh', 'by=month&from=2026-11-01&print=doh', 1],
  ])('CEN-6 the sheets of %s say when, by whom, how whole, and the head of the log', async (kind, search, count) => {
    const { api, draw } = setUpSummary({ search, day: fakeDay(signed) });
    const noted = vi.fn();
    api.on(notePrint, ({ body }) => noted(body.sheet));
    draw();
    const sheets = await screen.findAllByRole('article');
    expect(sheets).toHaveLength(count);
    expect(sheets[0]?.textContent).toMatch(/Generated .* \(UTC\) by Ana Reyes\. Complete: \d of \d reports?/);
    const print = vi.fn();
    vi.stubGlobal('print', print);
    press('Print or save as PDF');
    expect(print).toHaveBeenCalledOnce();
    await waitFor(() => expect(noted.mock.calls).toEqual([[kind]]));
  });

  it('CEN-6 the sum under the day’s sheet leaves out what is not handed in', async () => {
    setUpSummary({ search: `by=day&from=${date}&to=${date}&print=day` }).draw();
    const sum = await screen.findByRole('row', { name: /^Reports that are in/ });
    const cells = [...sum.querySelectorAll('td')].map(({ textContent }) => textContent);
    // Opening of MED 3A, SUR 2B and NUR without the ICU's 9; the last are staffed beds, share and state.
    expect(cells[0]).toBe('50');
    expect(cells.slice(-3)).toEqual(['70', '', 'Incomplete: 3 of 4']);
  });

  it('CEN-6 while no report is in, the sum under the day’s sheet is dashes, not noughts', async () => {
    const units = fakeDay().units.map((unit) => ({ ...unit, status: 'draft' as const }));
    const search = `by=day&from=${date}&to=${date}&print=day`;
    setUpSummary({ search, day: fakeDay({ units, units_submitted: 0 }) }).draw();
    const sum = await screen.findByRole('row', { name: /^Reports that are in/ });
    const cells = [...sum.querySelectorAll('td')].map(({ textContent }) => textContent);
    expect(cells).toEqual([...Array.from({ length: 15 }, () => '–'), '', 'Incomplete: 0 of 4']);
  });

  it('CEN-6 the DOH block divides by authorised beds and shows both denominators, by whichever the facility counts', async () => {
    const { api, draw } = setUpSummary({ search: 'by=month&from=2026-11-01&print=doh' });
    api.on(getCensusSummary, ({ query }) => {
      const { total, ...sums } = fakeSums(query.from, query.to);
      return {
        ...sums,
        total: { ...total, adult_and_child: { ...total.adult_and_child, bed_days: 60 } },
        denominator: 'licensed' as const,
      };
    });
    draw();
    await screen.findByRole('article');
    const figure = (name: string) => screen.getByRole('row', { name: new RegExp(`^${name}`) }).textContent;
    expect(figure('Bed occupancy rate, by authorised beds')).toContain('66.67 %*40 ÷ 60');
    expect(figure('Authorised beds, average')).toContain('60');
    expect(figure('Implementing beds, average')).toContain('56');
  });

  it('CEN-6 the compilation has no average of what nobody has reported, and stars that of a part', async () => {
    const { api, draw } = setUpSummary({ search: 'by=month&from=2026-11-01&print=month' });
    api.on(getCensusSummary, ({ query }) => sumsWithout('newborn', query));
    draw();
    const sheet = await screen.findByRole('article');
    expect(sheet.textContent).toContain('Average daily census: adults and children 40.00* (40 ÷ 1 day), newborn –.');
    expect(screen.getByRole('row', { name: /^Sum/ }).textContent).toBe(`Sum*73714040${'–'.repeat(8)}2 of 4`);
  });

  it('CEN-6 the DOH block gives what nobody has reported as a dash, and says why', async () => {
    const { api, draw } = setUpSummary({ search: 'by=month&from=2026-11-01&print=doh' });
    api.on(getCensusSummary, ({ query }) => sumsWithout('adult_and_child', query));
    draw();
    await screen.findByRole('article');
    const figures = screen.getAllByRole('row').map(({ children }) => [...children].map((cell) => cell.textContent));
    expect(figures).toHaveLength(24);
    // Days and licensed beds are known whoever has reported.
    expect(figures.slice(1, 4).map(([, figure]) => figure)).toEqual(['1', '0', '0']);
    expect(figures.slice(4, 22).map(([, ...told]) => told)).toEqual(
      Array.from({ length: 18 }, () => ['–', 'no report is in']),
    );
    expect(figures.slice(22)).toEqual([
      ['Live births', '4', ''],
      ['Newborn service days', '9', ''],
    ]);
  });

  it.each([
    [
      2,
      [
        ['Discharge days', '51', 'stays of the discharged, added'],
        ['Average length of stay', '6.38', '51 ÷ 8'],
      ],
    ],
    [
      1,
      [
        ['Length of stay, estimated', '5.00', '40 ÷ 8'],
        ['Reports with discharge days', '1', 'of 2 with a discharge or death'],
      ],
    ],
  ])(
    'F-N2 CEN-6 with discharge days of %i of 2 reports the DOH block says which length of stay it is',
    async (told, lines) => {
      const { api, draw } = setUpSummary({ search: 'by=month&from=2026-11-01&print=doh' });
      api.on(getCensusSummary, ({ query }) => {
        const { total, ...sums } = fakeSums(query.from, query.to);
        const adult_and_child = { ...total.adult_and_child, discharge_days: 51, discharge_days_reports: told };
        return { ...sums, total: { ...total, adult_and_child } };
      });
      draw();
      await screen.findByRole('article');
      const rows = screen.getAllByRole('row').map(({ children }) => [...children].map((cell) => cell.textContent));
      const plain = rows.map((row) => row.map((text) => text?.replace('*', '')));
      expect(plain.slice(-4, -2)).toEqual(lines);
      expect(plain.filter(([label]) => /length of stay/i.test(label ?? ''))).toHaveLength(1);
    },
  );

  it('CEN-6 a line of the DOH block is starred for the reports that it is made of, not for others', async () => {
    const { api, draw } = setUpSummary({ search: 'by=month&from=2026-11-01&print=doh' });
    api.on(getCensusSummary, ({ query }) => {
      const sums = fakeSums(query.from, query.to);
      return { ...sums, units: sums.units.filter(({ unit_code }) => unit_code !== 'ICU') };
    });
    draw();
    await screen.findByRole('article');
    const figure = (name: string) => screen.getByRole('row', { name: new RegExp(`^${name}`) }).children[1]?.textContent;
    expect(figure('Authorised beds, average')).toBe('60');
    expect(figure('Total inpatient service days')).toBe('40*');
    expect(figure('Newborn service days')).toBe('9');
  });

  it('CEN-6 the day’s sheet names the beds that its occupancy is a share of', async () => {
    const units = fakeDay().units.map((unit) => ({
      ...unit,
      service_days: 10,
      beds: { ...unit.beds, licensed: 40, staffed: 20 },
    }));
    setUpSummary({
      day: fakeDay({ denominator: 'licensed', units }),
      search: `by=day&from=${date}&to=${date}&print=day`,
    }).draw();
    const sheet = within(await screen.findByRole('article'));
    expect(sheet.getByRole('columnheader', { name: 'Licensed' })).toBeDefined();
    expect(sheet.queryByRole('columnheader', { name: 'Staffed' })).toBeNull();
    const [first] = units;
    const [row] = sheet.getAllByRole('row', { name: new RegExp(`^${first?.unit_code}`) });
    expect(row?.textContent).toContain('4025.00');
  });
});
