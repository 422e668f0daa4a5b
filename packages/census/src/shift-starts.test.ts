import { describe, expect, it } from 'vitest';
import { begunShifts } from './shift-starts.ts';

const DAY_AND_NIGHT = [
  { name: 'Day', time: '07:00' },
  { name: 'Night', time: '19:00' },
];
const begun = (now: string, zone: string, starts = DAY_AND_NIGHT, most = 3) =>
  begunShifts(starts, { zone, now: new Date(now), most }).map(
    ({ name, since }) => `${name} ${since.toISOString().slice(0, 16)}`,
  );

describe('HAND-1 the shifts of a facility', () => {
  it('HAND-1 are told from that of now back, by the clock of its zone, whichever date UTC has', () => {
    // 00:30 on 20 November in Manila.
    expect(begun('2026-11-19T16:30:00Z', 'Asia/Manila')).toEqual([
      'Night 2026-11-19T11:00',
      'Day 2026-11-18T23:00',
      'Night 2026-11-18T11:00',
    ]);
    // A shift has begun in the minute in which it begins, and not before.
    expect(begun('2026-11-19T23:00:00Z', 'Asia/Manila', DAY_AND_NIGHT, 1)).toEqual(['Day 2026-11-19T23:00']);
    expect(begun('2026-11-19T22:59:59Z', 'Asia/Manila', DAY_AND_NIGHT, 1)).toEqual(['Night 2026-11-19T11:00']);
  });

  it('HAND-1 begin at their local time around a day of 23 hours and one of 25', () => {
    // 29 March 2026 in Dublin: at 01:00 it becomes 02:00, so the night has 11 hours.
    expect(begun('2026-03-29T12:00:00Z', 'Europe/Dublin')).toEqual([
      'Day 2026-03-29T06:00',
      'Night 2026-03-28T19:00',
      'Day 2026-03-28T07:00',
    ]);
    // 1 November 2026 in New York: at 02:00 it becomes 01:00, so the night has 13 hours.
    expect(begun('2026-11-01T13:00:00Z', 'America/New_York')).toEqual([
      'Day 2026-11-01T12:00',
      'Night 2026-10-31T23:00',
      'Day 2026-10-31T11:00',
    ]);
  });

  it('HAND-1 a start that the clock skips is the leap, one that it shows twice is the first', () => {
    const small = [
      { name: 'Early', time: '02:30' },
      { name: 'Small', time: '02:45' },
      { name: 'Late', time: '14:00' },
    ];
    // 8 March 2026 in New York: 02:00 becomes 03:00. Both begin then, and the later one is that of now.
    expect(begun('2026-03-08T07:00:00Z', 'America/New_York', small)).toEqual([
      'Small 2026-03-08T07:00',
      'Late 2026-03-07T19:00',
      'Small 2026-03-07T07:45',
    ]);
    const twice = [{ name: 'Night', time: '01:30' }];
    expect(begun('2026-11-01T07:00:00Z', 'America/New_York', twice, 2)).toEqual([
      'Night 2026-11-01T05:30',
      'Night 2026-10-31T05:30',
    ]);
  });

  it('HAND-1 a date that the zone skipped has none, and as many are told as were asked for', () => {
    // Apia had no 30 December 2011.
    expect(begun('2011-12-31T00:00:00Z', 'Pacific/Apia', [{ name: 'All day', time: '08:00' }], 3)).toEqual([
      'All day 2011-12-30T18:00',
      'All day 2011-12-29T18:00',
      'All day 2011-12-28T18:00',
    ]);
    expect(begun('2026-11-19T06:00:00Z', 'UTC', [{ name: 'All day', time: '08:00' }], 6)).toHaveLength(6);
    expect(begun('2026-11-19T06:00:00Z', 'UTC', DAY_AND_NIGHT, 6)).toHaveLength(6);
  });
});
