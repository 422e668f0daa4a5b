import { expect, it } from 'vitest';
import { formatDate, formatDay, shortMonth, weekdayIndex } from './dates.ts';
import { formatMonth, formatRange, weekdayNames } from './periods.ts';

const months = Array.from({ length: 12 }, (_, index) => `2026-${String(index + 1).padStart(2, '0')}-09`);

it('F-N16 a date is written in the order of its facility, with the year where it is another one', () => {
  expect(formatDay('2026-11-21', 'dmy', '2026-01-01')).toBe('Sat 21 Nov');
  expect(formatDay('2026-11-21', 'mdy', '2026-01-01')).toBe('Sat Nov 21');
  expect(formatDay('2025-02-01', 'dmy', '2026-01-01')).toBe('Sat 1 Feb 2025');
  expect(formatDay('2025-02-01', 'mdy', '2026-01-01')).toBe('Sat Feb 1, 2025');
  expect([formatDay('2026-11-21', 'dmy'), formatDay('2026-11-21', 'mdy')]).toEqual([
    'Sat 21 Nov 2026',
    'Sat Nov 21, 2026',
  ]);
  expect([formatDate('1948-03-14', 'dmy'), formatDate('1948-03-14', 'mdy')]).toEqual(['14 Mar 1948', 'Mar 14, 1948']);
});

it('F-N16 names of months and days are those of Intl’s English, whatever machine writes them', () => {
  const named = (date: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(new Date(date));
  for (const date of months) {
    expect(formatMonth(date)).toBe(named(date, { month: 'long', year: 'numeric' }));
    expect(formatMonth(date.slice(0, 7))).toBe(formatMonth(date));
    expect(shortMonth(date)).toBe(named(date, { month: 'short' }));
    const { short, long } = weekdayNames()[weekdayIndex(date)] ?? {};
    expect([short, long]).toEqual([named(date, { weekday: 'short' }), named(date, { weekday: 'long' })]);
  }
  expect(weekdayIndex('2026-11-16')).toBe(0);
  expect(weekdayIndex('2026-11-22')).toBe(6);
});

it('F-N16 a range names both ends, and one date once', () => {
  const say = (date: string) => formatDay(date, 'dmy', '2026-01-01');
  expect(formatRange('2026-11-17', '2026-11-20', say)).toBe('Tue 17 Nov to Fri 20 Nov');
  expect(formatRange('2026-11-17', '2026-11-17', say)).toBe('Tue 17 Nov');
});
