// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, within } from '@testing-library/react';
import { daysBetween } from '@wardline/census/calendar.ts';
import { getCensusSummary } from '@wardline/contract/census/summary.ts';
import { expect, it } from 'vitest';
import { fakeSums, setUpSummary } from '#/features/census/summary/testing/fake-summary.tsx';

const NEWEST = '2026-11-21';

/** A facility with 60 beds and 48 patients on each day up to the newest. */
function openMonth(from: string) {
  const { api, draw } = setUpSummary({ search: `by=month&from=${from}` });
  const asked: string[] = [];
  api.on(getCensusSummary, ({ query }) => {
    asked.push(`${query.from} ${query.to}`);
    const summary = fakeSums(query.from, query.to);
    const days = daysBetween(query.from, query.to < NEWEST ? query.to : NEWEST) + 1;
    const sums = { ...summary.total.adult_and_child, days, service_days: 48 * days, occupancy_service_days: 48 * days };
    const total = {
      ...summary.total,
      adult_and_child: {
        ...sums,
        ...{ bed_days: 60 * days, discharges: 2 * days, deaths: 0, occupancy_separations: 2 * days },
      },
    };
    return { ...summary, total };
  });
  draw();
  return asked;
}

async function tableOf(name: RegExp) {
  return within(await screen.findByRole('table', { name }));
}
const differenceIn = (table: Awaited<ReturnType<typeof tableOf>>, measure: string) =>
  [...table.getByRole('row', { name: new RegExp(`^${measure}`) }).children]
    .at(-1)
    ?.textContent?.replace('Difference', '');

it('F-N9 CEN-6 a month that is running is compared with as many days of the other one', async () => {
  const asked = openMonth('2026-11-01');
  const table = await tableOf(
    /^Adults and children: Sun 1 Nov 2026 to Sat 21 Nov 2026 and Thu 1 Oct 2026 to Wed 21 Oct 2026$/,
  );
  expect(asked).toContain('2026-10-01 2026-10-21');
  expect(differenceIn(table, 'Bed days available')).toBe('0');
  expect(differenceIn(table, 'Bed turnover, direct')).toBe('0.00');
  expect(screen.queryByText(/are per day/)).toBeNull();
});

it('F-N9 CEN-6 against the whole of the other month the lengths are said, and what adds up differs per day', async () => {
  openMonth('2026-11-01');
  fireEvent.click(await screen.findByLabelText('Same days elapsed: the first 21'));
  const table = await tableOf(/^Adults and children: .* and October 2026$/);
  screen.getByText('21 days beside 31 days: the differences of what adds up over days are per day.');
  expect(differenceIn(table, 'Bed days available')).toBe('0.0000 a day');
  expect(differenceIn(table, 'Average daily census')).toBe('0.00');
});

it('F-N9 CEN-6 whole months of other lengths are marked as well', async () => {
  openMonth('2026-10-01');
  const table = await tableOf(/^Adults and children: October 2026 and September 2026$/);
  screen.getByText('31 days beside 30 days: the differences of what adds up over days are per day.');
  expect(screen.queryByLabelText(/^Same days elapsed/)).toBeNull();
  expect(differenceIn(table, 'Bed days available')).toBe('0.0000 a day');
});
