// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { addDays } from '@wardline/census/calendar.ts';
import { noSums } from '@wardline/census/measures.ts';
import { expect, it, vi } from 'vitest';
import type { SeriesPoint } from '#/features/census/charts/daily-series.ts';
import { WeekdayCard } from './weekday-card.tsx';

/** From Thu 1 Oct 2026 on; a week has 20 on Thursday, one more each day. */
function days(count: number, unlike: Readonly<Record<number, number | null>> = {}): SeriesPoint[] {
  return Array.from({ length: count }, (_, index) => ({
    date: addDays('2026-10-01', index),
    occupied: index in unlike ? (unlike[index] ?? null) : 20 + (index % 7) + (Math.floor(index / 7) % 2),
    beds: 30,
    mean: null,
    reported: 1,
    expected: 1,
    sums: noSums(1),
  }));
}

const charts = () => screen.getAllByRole('button', { name: /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/ });

it('CEN-9 shows seven charts from Monday on, each with the mean and limits of its own weekday', () => {
  render(<WeekdayCard points={days(56)} />);
  expect(charts().map(({ textContent }) => textContent?.match(/^[A-Z][a-z]{2}\d+, \d+ to \d+/)?.[0])).toEqual([
    'Mon25, 22 to 27',
    'Tue26, 23 to 28',
    'Wed27, 24 to 29',
    'Thu21, 18 to 23',
    'Fri22, 19 to 24',
    'Sat23, 20 to 25',
    'Sun24, 21 to 26',
  ]);
});

it('CEN-9 needs four weeks: limits of fewer are no limits', () => {
  const { container } = render(<WeekdayCard points={days(27)} />);
  expect(container.textContent).toBe('');
});

it('CEN-9 a day unlike its weekday is ringed, and named where its chart is opened', () => {
  // Sun 15 Nov, as full as a Wednesday.
  render(<WeekdayCard points={days(98, { 45: 34 })} />);
  expect(charts().map((chart) => chart.querySelectorAll('.ln-signal').length)).toEqual([0, 0, 0, 0, 0, 0, 1]);
  expect(screen.queryByRole('img', { name: 'Sundays' })).toBeNull();
  const sunday = charts()[6];
  if (sunday) fireEvent.click(sunday);
  expect(screen.getByRole('img', { name: 'Sundays' })).toBeTruthy();
  expect(document.querySelector('.ln-signals')?.textContent).toBe('Sun 15 Nov beyond the limits');
});

it('CEN-9 an opened chart comes into view, which on a phone is below seven others', () => {
  const brought = vi.spyOn(Element.prototype, 'scrollIntoView');
  render(<WeekdayCard points={days(56)} />);
  expect(brought).not.toHaveBeenCalled();
  for (const place of [0, 6]) {
    const chart = charts()[place];
    if (chart) fireEvent.click(chart);
  }
  expect(brought.mock.contexts).toHaveLength(2);
});

it('CEN-9 has the same numbers in its table twin: limits by weekday, and every day by week', () => {
  render(<WeekdayCard points={days(30, { 45: 34, 8: null })} />);
  fireEvent.keyDown(screen.getByRole('heading', { name: 'By weekday' }), { key: 't' });
  const limits = within(screen.getByRole('table', { name: 'Limits of service days by weekday' }));
  expect(limits.getByRole('row', { name: /^Monday/ }).textContent).toBe(
    'MondayMean24.50Lower limit21.84Upper limit27.16Mean moving range1.00Its limit3.27Unusual',
  );
  const weeks = within(screen.getByRole('table', { name: 'Service days by week and weekday' }));
  // On the phone each number carries its weekday.
  const plain = (text: string | null) => text?.replace(/^[A-Z][a-z]{2}(?=[\d–])/, '');
  const texts = weeks.getAllByRole('row').map((row) => [...row.children].map(({ textContent }) => plain(textContent)));
  expect(texts).toEqual([
    ['Week from', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
    [expect.stringContaining('26 Oct'), '25', '26', '27', '20', '21', '–', '–'],
    [expect.stringContaining('19 Oct'), '24', '25', '26', '21', '22', '23', '24'],
    [expect.stringContaining('12 Oct'), '25', '26', '27', '20', '21', '22', '23'],
    [expect.stringContaining('5 Oct'), '24', '25', '26', '21', '–', '23', '24'],
    [expect.stringContaining('28 Sep'), '–', '–', '–', '20', '21', '22', '23'],
  ]);
});
