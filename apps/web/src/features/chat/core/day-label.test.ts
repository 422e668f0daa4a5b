import { USUAL_FORMAT } from '@wardline/format/facility-format.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { showFormat } from '#/shared/time/shown-format.ts';
import { dayLabel, lastSaid } from './day-label.ts';

afterEach(() => showFormat(USUAL_FORMAT));

describe('CHAT-13 the words on a day separator', () => {
  it.each([
    ['2026-11-20', 'Fri 20 Nov, today'],
    ['2026-11-19', 'Thu 19 Nov, yesterday'],
    ['2026-11-18', 'Wed 18 Nov'],
    ['2025-11-20', 'Thu 20 Nov 2025'],
  ])('%s is %s', (day, text) => {
    expect(dayLabel(day, '2026-11-20')).toBe(text);
  });

  it('F-N16 follows the order of the facility in view', () => {
    showFormat({ hour_cycle: 'h12', date_order: 'mdy' });
    expect(dayLabel('2026-11-20', '2026-11-20')).toBe('Fri Nov 20, today');
    expect(lastSaid(Date.parse('2026-11-19T21:34:00Z'), Date.parse('2026-11-20T12:00:00Z'), 'UTC')).toBe('Thu 9:34 PM');
  });

  it('knows the day before across a month and a year', () => {
    expect(dayLabel('2026-02-28', '2026-03-01')).toBe('Sat 28 Feb, yesterday');
    expect(dayLabel('2025-12-31', '2026-01-01')).toBe('Wed 31 Dec 2025, yesterday');
  });
});

describe('CHAT-13 when something was last said', () => {
  const now = Date.parse('2026-11-20T00:38:00Z');
  it.each([
    ['2026-11-20T00:37:30Z', 'now'],
    ['2026-11-20T00:38:20Z', 'now'],
    ['2026-11-20T00:36:00Z', '2 min ago'],
    ['2026-11-19T23:38:30Z', '59 min ago'],
    ['2026-11-19T21:34:00Z', 'Thu 21:34'],
    ['2026-11-18T12:00:00Z', 'Wed 18 Nov'],
    ['2025-11-18T12:00:00Z', 'Tue 18 Nov 2025'],
  ])('%s is %s', (at, text) => {
    expect(lastSaid(Date.parse(at), now, 'UTC')).toBe(text);
  });

  it('is a time of day on the same day, by the clock of the facility', () => {
    const later = Date.parse('2026-11-20T14:00:00Z');
    expect(lastSaid(Date.parse('2026-11-20T09:05:00Z'), later, 'UTC')).toBe('09:05');
    expect(lastSaid(Date.parse('2026-11-20T09:05:00Z'), later, 'America/New_York')).toBe('04:05');
  });
});
