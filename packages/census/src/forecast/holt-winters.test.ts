import { describe, expect, it } from 'vitest';
import { expectedAhead, firstState, type SmoothState, smoothDay } from './holt-winters.ts';

const by = { level: 0.5, trend: 0.2, weekday: 0.4, damping: 0.8 };
const state: SmoothState = { level: 20, trend: 1, weekdays: [2, 0, 0, 0, 0, -1, -1] };

describe('damped additive Holt-Winters', () => {
  it('CEN-9 one day on is what the formulas give by hand', () => {
    // Expected: 20 + 0.8 × 1 = 20.8, and 2 for the weekday. Counted 25: level 0.5 × 23 + 0.5 × 20.8 = 21.9;
    // trend 0.2 × 1.9 + 0.8 × 0.8 = 1.02; weekday 0.4 × 4.2 + 0.6 × 2 = 2.88.
    const next = smoothDay(state, 25, by);
    expect(next.level).toBeCloseTo(21.9, 10);
    expect(next.trend).toBeCloseTo(1.02, 10);
    expect(next.weekdays.slice(0, 6)).toEqual([0, 0, 0, 0, -1, -1]);
    expect(next.weekdays[6]).toBeCloseTo(2.88, 10);
  });

  it('CEN-9 a day without a report is taken as it was expected', () => {
    const next = smoothDay(state, null, by);
    expect(next.level).toBeCloseTo(20.8, 10);
    expect(next.trend).toBeCloseTo(0.8, 10);
    expect(next.weekdays[6]).toBeCloseTo(2, 10);
    expect(expectedAhead(next, 1, by)).toBeCloseTo(expectedAhead(state, 2, by), 10);
  });

  it('CEN-9 looks ahead by the damped trend and the weekday that comes then', () => {
    expect(expectedAhead(state, 1, by)).toBeCloseTo(22.8, 10);
    expect(expectedAhead(state, 2, by)).toBeCloseTo(20 + 0.8 + 0.64, 10);
    expect(expectedAhead(state, 6, by)).toBeCloseTo(20 + 0.8 + 0.64 + 0.512 + 0.4096 + 0.32768 + 0.262144 - 1, 10);
    expect(expectedAhead({ ...state, trend: 0 }, 8, by)).toBeCloseTo(22, 10);
  });

  it('CEN-9 starts on the line of its first two weeks, with each weekday’s distance from it', () => {
    const rhythm = [3, 1, 0, 0, 0, -2, -2];
    const days = Array.from({ length: 14 }, (_, day) => 50 + 0.5 * day + (rhythm[day % 7] ?? 0));
    const start = firstState(days);
    expect(start.trend).toBeCloseTo(0.5, 10);
    expect(start.level).toBeCloseTo(49.5, 10);
    start.weekdays.forEach((weekday, day) => {
      expect(weekday).toBeCloseTo(rhythm[day] ?? 0, 10);
    });
  });

  it('CEN-9 starts without what was not reported', () => {
    const flat = Array.from({ length: 14 }, (_, day) => (day === 3 ? null : 12));
    expect(firstState(flat)).toEqual({ level: 12, trend: 0, weekdays: [0, 0, 0, 0, 0, 0, 0] });
    expect(firstState([])).toEqual({ level: 0, trend: 0, weekdays: [0, 0, 0, 0, 0, 0, 0] });
    expect(firstState([null, null, null, null, null, null, null, 9, 9]).level).toBe(9);
  });
});
