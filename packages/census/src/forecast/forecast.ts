import { expectedAhead, firstState, SMOOTHINGS, type Smoothing, type SmoothState, smoothDay } from './holt-winters.ts';

const WEEK = 7;
/** So many coming days are forecast unless others are asked for: a week. */
export const FORECAST_DAYS = WEEK;
/** Days of the past that it is made from. */
export const FORECAST_HISTORY_DAYS = 400;
const SHORTEST_HISTORY = 28;
const LEAST_COMPLETE = 0.9;
const MOST_TEST_DAYS = 56;
/** Days that start the methods: two weeks. */
const START_DAYS = 14;
/** Earlier misses without which no interval is checked against what came. */
const LEAST_MISSES = 14;

/** One miss in so many lies under an interval, and one above it; whole, since a tenth of 30 must be 3 and not just less. */
const TAIL = 10;

/** How much of what comes an interval means to hold. */
export const FORECAST_INTERVAL = 1 - 2 / TAIL;

/** What one coming day is expected to be, with the interval around it; patients, not below 0. */
export interface ForecastPoint {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** What is expected, and how wrong the same method was on the newest days when it knew only those before. */
export interface Forecast {
  readonly method: 'seasonal_naive' | 'holt_winters';
  readonly points: readonly ForecastPoint[];
  /** Mean absolute error one day ahead: the typical miss, in patients. */
  readonly mae: number;
  /** That of last week’s same day, the method that is always there to beat. */
  readonly baseline_mae: number;
  /** mae ÷ the error of last week’s same day before the test days; null where that never erred. */
  readonly mase: number | null;
  /** By what part the typical miss is smaller than the baseline’s; null where the baseline never missed. */
  readonly improvement: number | null;
  /** Share of the test days that lay inside the interval of earlier misses; null while those are too few. */
  readonly coverage: number | null;
  readonly interval: number;
  readonly test_days: number;
}

/** Why there is no forecast: under 28 days since the first report, or under 90 % of them reported. */
export type NoForecast = 'too_short' | 'too_incomplete';

type History = readonly (number | null)[];
/** What a method expects of the day `ahead` days after the day `origin`, knowing nothing later than that; or null. */
type Method = (origin: number, ahead: number) => number | null;

/**
 * Forecasts the days after a history of one value a day (null: not reported), the newest last. Of two methods, last week’s
 * same day and damped Holt-Winters, the one with the smaller scaled error over the last 56 days is used (rolling origin:
 * each day is forecast from the days before it). Both are scaled by the same number (MASE: Hyndman & Koehler, International
 * Journal of Forecasting 22, 2006), so the smaller error decides. Intervals are the middle 80 % of what the method missed at
 * the same distance.
 */
export function forecast(history: History, days = FORECAST_DAYS): Forecast | NoForecast {
  const known = history.slice(
    Math.max(
      0,
      history.findIndex((value) => value !== null),
    ),
  );
  if (known.length < SHORTEST_HISTORY || known[0] === null) return 'too_short';
  const reported = known.filter((value) => value !== null).length;
  if (reported / known.length < LEAST_COMPLETE) return 'too_incomplete';

  const testFrom = Math.max(START_DAYS, known.length - MOST_TEST_DAYS);
  const naive = lastWeek(known);
  const smooth = holtWinters(known, testFrom);
  const baselineMae = meanMiss(missesOf(known, naive, { from: testFrom, ahead: 1 })) ?? 0;
  const smoothMae = meanMiss(missesOf(known, smooth, { from: testFrom, ahead: 1 })) ?? 0;
  const isSmoother = smoothMae < baselineMae;
  const method = isSmoother ? smooth : naive;
  const mae = isSmoother ? smoothMae : baselineMae;
  const scale = meanMiss(missesOf(known.slice(0, testFrom), naive, { from: WEEK, ahead: 1 }));
  const oneDay = missesOf(known, method, { from: testFrom, ahead: 1 });
  return {
    method: isSmoother ? 'holt_winters' : 'seasonal_naive',
    points: Array.from({ length: days }, (_, index) => pointOf(known, method, { testFrom, ahead: index + 1 })),
    mae,
    baseline_mae: baselineMae,
    mase: scale ? mae / scale : null,
    improvement: baselineMae === 0 ? null : (baselineMae - mae) / baselineMae,
    coverage: coverageOf(oneDay),
    interval: FORECAST_INTERVAL,
    test_days: oneDay.length,
  };
}

/** Seasonal naive: the newest known value of the same weekday. */
function lastWeek(history: History): Method {
  return (origin, ahead) => {
    for (let day = origin + ahead - WEEK * Math.ceil(ahead / WEEK); day >= 0; day -= WEEK) {
      const value = history[day];
      if (value !== null && value !== undefined) return value;
    }
    return null;
  };
}

/** The smoothing is chosen on the days before the test, so that the test measures what is used. */
function holtWinters(history: History, testFrom: number): Method {
  const best = SMOOTHINGS.map((by) => ({ by, error: squaredError(history.slice(0, testFrom), by) })).reduce((a, b) =>
    b.error < a.error ? b : a,
  ).by;
  const states = statesOf(history, best);
  return (origin, ahead) => {
    const state = states[origin];
    return state ? expectedAhead(state, ahead, best) : null;
  };
}

/** The state at the end of every day. */
function statesOf(history: History, by: Smoothing): SmoothState[] {
  let state = firstState(history.slice(0, START_DAYS));
  return history.map((value) => {
    state = smoothDay(state, value, by);
    return state;
  });
}

function squaredError(history: History, by: Smoothing): number {
  const states = statesOf(history, by);
  let error = 0;
  for (let day = START_DAYS; day < history.length; day++) {
    const [value, before] = [history[day], states[day - 1]];
    if (before && value !== null && value !== undefined) error += (value - expectedAhead(before, 1, by)) ** 2;
  }
  return error;
}

/** What came less what was expected, for every known day from `from` on, each expected `ahead` days before. */
function missesOf(history: History, method: Method, { from, ahead }: { from: number; ahead: number }): number[] {
  const misses: number[] = [];
  for (let day = Math.max(from, ahead); day < history.length; day++) {
    const value = history[day];
    const expected = method(day - ahead, ahead);
    if (value !== null && value !== undefined && expected !== null) misses.push(value - expected);
  }
  return misses;
}

function meanMiss(misses: readonly number[]): number | null {
  return misses.length === 0 ? null : misses.reduce((sum, miss) => sum + Math.abs(miss), 0) / misses.length;
}

function pointOf(
  history: History,
  method: Method,
  { testFrom, ahead }: { testFrom: number; ahead: number },
): ForecastPoint {
  const value = method(history.length - 1, ahead) ?? 0;
  const { low, high } = middleOf(missesOf(history, method, { from: testFrom, ahead }));
  // Misses that all lie on one side would leave the forecast outside its own interval.
  return {
    value: Math.max(0, value),
    low: Math.max(0, value + Math.min(0, low)),
    high: Math.max(0, value + Math.max(0, high)),
  };
}

/** Between which misses the middle part lies; the ranks are those of n + 1, so that few misses give a wide interval. */
function middleOf(misses: readonly number[]): { low: number; high: number } {
  const sorted = misses.toSorted((a, b) => a - b);
  const below = Math.max(0, Math.floor((sorted.length + 1) / TAIL) - 1);
  return { low: sorted[below] ?? 0, high: sorted[sorted.length - 1 - below] ?? 0 };
}

/** Each miss against the interval of those before it: what the interval would have promised on that day. */
function coverageOf(misses: readonly number[]): number | null {
  const checked = misses.slice(LEAST_MISSES);
  if (checked.length === 0) return null;
  const held = checked.filter((miss, index) => {
    const { low, high } = middleOf(misses.slice(0, index + LEAST_MISSES));
    return miss >= Math.min(0, low) && miss <= Math.max(0, high);
  });
  return held.length / checked.length;
}
