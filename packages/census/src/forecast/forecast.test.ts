import { describe, expect, it } from 'vitest';
import { FORECAST_INTERVAL, type Forecast, forecast, type NoForecast } from './forecast.ts';

const WEEK = [20, 30, 31, 32, 31, 28, 21];
const weekly = (days: number) => Array.from({ length: days }, (_, day) => WEEK[day % 7] ?? 0);

/** A small generator with a fixed seed, so that chance is the same each time. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A bell of about one patient. */
function noise(seed: number): () => number {
  const next = chance(seed);
  return () =>
    next() + next() + next() + next() + next() + next() + next() + next() + next() + next() + next() + next() - 6;
}

function made(result: Forecast | NoForecast): Forecast {
  if (typeof result === 'string') throw new Error(result);
  return result;
}

describe('whether there is a forecast', () => {
  it('CEN-9 needs 28 days since the first report, however long nothing was reported before', () => {
    expect(forecast(weekly(27))).toBe('too_short');
    expect(forecast([...Array.from({ length: 60 }, () => null), ...weekly(27)])).toBe('too_short');
    expect(forecast([])).toBe('too_short');
    expect(forecast(Array.from({ length: 40 }, () => null))).toBe('too_short');
    expect(forecast([null, null, ...weekly(28)])).toMatchObject({ test_days: 14 });
  });

  it('CEN-9 needs nine days of ten reported', () => {
    const gappy = weekly(40).map((value, day) => (day % 10 === 5 ? null : value));
    expect(forecast(gappy)).toMatchObject({ interval: FORECAST_INTERVAL });
    expect(forecast(gappy.map((value, day) => (day === 39 ? null : value)))).toBe('too_incomplete');
  });
});

describe('the forecast of what is known', () => {
  it('CEN-9 a week that repeats itself is expected to repeat itself, without a miss', () => {
    const { method, points, ...measured } = made(forecast(weekly(140)));
    expect(method).toBe('seasonal_naive');
    expect(points.map(({ value }) => value)).toEqual(WEEK);
    expect(points.every(({ value, low, high }) => low === value && high === value)).toBe(true);
    expect(measured).toEqual({
      mae: 0,
      baseline_mae: 0,
      mase: null,
      improvement: null,
      coverage: 1,
      interval: FORECAST_INTERVAL,
      test_days: 56,
    });
  });

  it('CEN-9 last week’s same day misses a steady rise by a week of it; Holt-Winters finds the rise', () => {
    const rising = weekly(140).map((value, day) => value + 0.5 * day);
    const { method, points, baseline_mae, mae, mase, improvement } = made(forecast(rising));
    expect(method).toBe('holt_winters');
    expect(baseline_mae).toBeCloseTo(3.5, 10);
    expect(mae).toBeLessThan(0.5);
    expect(mase).toBeCloseTo(mae / 3.5, 10);
    expect(improvement).toBeCloseTo(1 - mae / 3.5, 10);
    points.forEach(({ value }, ahead) => {
      expect(Math.abs(value - ((WEEK[ahead] ?? 0) + 0.5 * (140 + ahead)))).toBeLessThan(2);
    });
  });

  it('CEN-9 where each day follows last week’s same day, that is the method', () => {
    // Every weekday wanders by itself, a week at a time: what happened since tells nothing.
    const step = noise(11);
    const days = weekly(182).map((value) => value + 400);
    for (let day = 7; day < days.length; day++) {
      days[day] = (days[day - 7] ?? 0) + 6 * step();
    }
    const { method, mae, baseline_mae, improvement } = made(forecast(days));
    expect(method).toBe('seasonal_naive');
    expect(mae).toBe(baseline_mae);
    expect(improvement).toBe(0);
  });

  it('CEN-9 averages chance away: about a patient of noise is missed by less than the same day last week misses it', () => {
    const random = noise(5);
    const { method, mae, baseline_mae, coverage, improvement } = made(
      forecast(weekly(365).map((value) => value + random())),
    );
    expect(method).toBe('holt_winters');
    // A bell of 1 is missed by √(2/π) = 0.80 at best; two of them apart by √2 as much.
    expect(mae).toBeGreaterThan(0.6);
    expect(mae).toBeLessThan(1.05);
    expect(baseline_mae).toBeGreaterThan(0.9);
    expect(improvement).toBeGreaterThan(0.1);
    expect(coverage).toBeGreaterThan(0.65);
  });
});

describe('the test of a forecast', () => {
  const random = noise(9);
  const history = weekly(200).map((value) => Math.round(value + 2 * random()));

  it('CEN-9 knows only the days before: what happened last changes no earlier expectation', () => {
    const before = made(forecast(history));
    const shock = history.map((value, day) => (day === 199 ? value + 56 : value));
    const after = made(forecast(shock));
    // One of 56 test days is missed by up to 56 more, so the mean by up to 1.
    expect(after.mae - before.mae).toBeGreaterThan(0.9);
    expect(after.mae - before.mae).toBeLessThanOrEqual(1.0001);
  });

  it('CEN-9 is over 56 days, fewer where the history is short or has gaps', () => {
    expect(made(forecast(history)).test_days).toBe(56);
    expect(made(forecast(history.slice(0, 30))).test_days).toBe(16);
    expect(made(forecast(history.map((value, day) => (day === 180 ? null : value)))).test_days).toBe(55);
  });

  it('CEN-9 says nothing of coverage while the misses are too few to make an interval', () => {
    expect(made(forecast(history.slice(0, 28))).coverage).toBeNull();
    expect(made(forecast(history.slice(0, 29))).coverage).not.toBeNull();
  });

  it('CEN-9 intervals hold what they mean to hold, about, and widen where misses do', () => {
    const shares = Array.from({ length: 40 }, (_, seed) => {
      const bell = noise(seed + 100);
      return made(forecast(weekly(160).map((value) => Math.round(value + 3 * bell())))).coverage ?? 0;
    });
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    expect(mean).toBeGreaterThan(FORECAST_INTERVAL - 0.03);
    expect(mean).toBeLessThan(FORECAST_INTERVAL + 0.08);
    const width = (spread: number) => {
      const bell = noise(3);
      const [first] = made(forecast(weekly(160).map((value) => value + spread * bell()))).points;
      return (first?.high ?? 0) - (first?.low ?? 0);
    };
    expect(width(4)).toBeGreaterThan(2 * width(1));
  });

  it('CEN-9 an interval over 29 misses reaches from the third smallest to the third greatest', () => {
    const step = noise(11);
    const days = weekly(43).map((value) => value + 400);
    for (let day = 7; day < days.length; day++) days[day] = (days[day - 7] ?? 0) + 6 * step();
    const misses = days.slice(14).map((value, index) => value - (days[index + 7] ?? 0));
    const { method, points, test_days } = made(forecast(days));
    expect([method, test_days]).toEqual(['seasonal_naive', 29]);
    const sorted = misses.toSorted((a, b) => a - b);
    expect((points[0]?.low ?? 0) - (points[0]?.value ?? 0)).toBeCloseTo(sorted[2] ?? 0, 9);
    expect((points[0]?.high ?? 0) - (points[0]?.value ?? 0)).toBeCloseTo(sorted[26] ?? 0, 9);
  });

  it('CEN-9 never expects fewer than nobody, and keeps the forecast inside its interval', () => {
    const falling = Array.from({ length: 80 }, (_, day) => Math.max(0, 40 - day));
    for (const { value, low, high } of made(forecast(falling)).points) {
      expect(low).toBeGreaterThanOrEqual(0);
      expect(value).toBeGreaterThanOrEqual(low);
      expect(high).toBeGreaterThanOrEqual(value);
    }
  });

  it('CEN-9 skips a weekday that was not reported to the one before', () => {
    const gap = weekly(70).map((value, day) => (day === 64 ? null : value));
    expect(made(forecast(gap)).points[1]?.value).toBe(WEEK[1]);
    expect(made(forecast(gap, 14)).points.map(({ value }) => value)).toEqual([...WEEK, ...WEEK]);
  });
});
