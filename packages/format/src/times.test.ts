import { describe, expect, it } from 'vitest';
import { formatClock, formatTimeOfDay, hourIn } from './clocks.ts';
import { formatSpan } from './spans.ts';
import { formatExact, formatMinutesAgo, formatOffset, formatSeconds, formatTime } from './times.ts';
import { dateIn, deviceZone, isZone, offsetMinutes, wallTime } from './zone.ts';

const at = (text: string) => Date.parse(text);
const ours = { hour_cycle: 'h23', date_order: 'dmy' } as const;
const theirs = { hour_cycle: 'h12', date_order: 'mdy' } as const;

describe('F-N16 a time of day', () => {
  it.each([
    ['00:00', '12:00 AM'],
    ['00:35', '12:35 AM'],
    ['09:05', '9:05 AM'],
    ['11:59', '11:59 AM'],
    ['12:00', '12:00 PM'],
    ['14:02', '2:02 PM'],
    ['23:59', '11:59 PM'],
  ])('%s is %s where hours go to 12', (time, text) => {
    const instant = at(`2026-11-20T${time}:09Z`);
    expect([formatTime('UTC', instant, 'h23'), formatTime('UTC', instant, 'h12')]).toEqual([time, text]);
    expect([formatTimeOfDay(time, 'h23'), formatTimeOfDay(time, 'h12')]).toEqual([time, text]);
    expect(formatSeconds('UTC', instant, 'h23')).toBe(`${time}:09`);
    expect(formatSeconds('UTC', instant, 'h12')).toBe(text.replace(' ', ':09 '));
    expect(hourIn('UTC', instant)).toBe(Number(time.slice(0, 2)));
  });

  it('is that of the zone, also where its clocks have just changed', () => {
    expect(formatTime('Asia/Manila', at('2026-11-19T23:02:00Z'), 'h23')).toBe('07:02');
    expect(formatTime('America/New_York', at('2026-11-01T05:30:00Z'), 'h23')).toBe('01:30');
    expect(formatTime('America/New_York', at('2026-11-01T06:30:00Z'), 'h23')).toBe('01:30');
  });
});

it('R21 clocks that are set at a minute past midnight show the day before from then on', () => {
  const shown = ['2009-11-01T02:30:59Z', '2009-11-01T02:31:00Z', '2009-11-01T02:44:00Z'].map((text) => {
    const instant = at(text);
    return `${dateIn('America/St_Johns', instant)} ${formatSeconds('America/St_Johns', instant, 'h23')}`;
  });
  expect(shown).toEqual(['2009-11-01 00:00:59', '2009-10-31 23:01:00', '2009-10-31 23:14:00']);
});

it('F-N16 an instant has its day unless that is today, and an exact form with its offset', () => {
  const now = at('2026-11-20T01:00:00Z');
  const clock = (text: string, format: typeof ours | typeof theirs) => formatClock('UTC', at(text), { now, format });
  expect([clock('2026-11-20T00:05:00Z', ours), clock('2026-11-20T00:05:00Z', theirs)]).toEqual(['00:05', '12:05 AM']);
  expect(clock('2026-11-19T23:02:00Z', ours)).toBe('Thu 19 Nov, 23:02');
  expect(clock('2026-11-19T23:02:00Z', theirs)).toBe('Thu Nov 19, 11:02 PM');
  expect(clock('2025-11-19T23:02:00Z', ours)).toBe('Wed 19 Nov 2025, 23:02');
  const instant = at('2026-11-19T23:02:07Z');
  expect(formatExact('Asia/Manila', instant, ours)).toBe('Fri 20 Nov 2026, 07:02:07 UTC+08:00');
  expect(formatExact('America/St_Johns', instant, theirs)).toBe('Thu Nov 19, 2026, 7:32:07 PM UTC−03:30');
  expect(formatOffset('UTC', instant)).toBe('UTC+00:00');
});

it('CEN-1 F-N16 spans are said in their two largest units', () => {
  const minute = 60_000;
  expect([0, 59, 60, 95, 1440, 4000].map((minutes) => formatSpan(minutes * minute))).toEqual([
    '0 min',
    '59 min',
    '1 h',
    '1 h 35 min',
    '1 day',
    '2 days',
  ]);
  expect(formatSpan(-minute)).toBe('0 min');
  expect([8.9, 1, 0.9, -1].map((past) => formatMinutesAgo(past * minute))).toEqual([
    ...['8 min ago', '1 min ago', 'now', 'now'],
  ]);
});

describe('F-N16 a zone', () => {
  it('has its own date, which what is kept for a quarter of an hour does not blur', () => {
    const kept = ['2026-11-19T15:59:59Z', '2026-11-19T16:00:00Z', '2026-11-19T15:59:59Z'];
    expect(kept.map((text) => dateIn('Asia/Manila', at(text)))).toEqual(['2026-11-19', '2026-11-20', '2026-11-19']);
    // Until 1972 Monrovia was 44 min 30 s behind.
    expect(dateIn('Africa/Monrovia', at('1970-01-02T00:44:29Z'))).toBe('1970-01-01');
    expect(dateIn('Africa/Monrovia', at('1970-01-02T00:44:30Z'))).toBe('1970-01-02');
  });

  it('that nobody knows counts as UTC', () => {
    const instant = at('2026-11-19T23:02:07.500Z');
    expect(wallTime('Mars/Olympus', instant)).toBe(at('2026-11-19T23:02:07Z'));
    expect(offsetMinutes('Asia/Kathmandu', instant)).toBe(345);
    expect([isZone('Mars/Olympus'), isZone(''), isZone('Asia/Manila'), isZone(deviceZone())]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});
