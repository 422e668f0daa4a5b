const WEEK = 7;

/** How quickly level, trend and weekday follow what is counted (0 to 1), and how much of the trend outlasts a day. */
export interface Smoothing {
  readonly level: number;
  readonly trend: number;
  readonly weekday: number;
  readonly damping: number;
}

/** All that is tried; the first is kept where nothing tells them apart. */
export const SMOOTHINGS: readonly Smoothing[] = [0.3, 0.1, 0.5].flatMap((level) =>
  [0.05, 0.2].flatMap((trend) =>
    [0.1, 0.3].flatMap((weekday) => [0.9, 0.8, 0.98].map((damping) => ({ level, trend, weekday, damping }))),
  ),
);

/** What the method knows at the end of a day. */
export interface SmoothState {
  readonly level: number;
  readonly trend: number;
  /** Seven deviations from the level; the first belongs to the day that comes next. */
  readonly weekdays: readonly number[];
}

/** The state before the first of two weeks: their drift from one to the other, and each weekday’s deviation from it. */
export function firstState(twoWeeks: readonly (number | null)[]): SmoothState {
  const first = meanOf(twoWeeks.slice(0, WEEK));
  const second = meanOf(twoWeeks.slice(WEEK, 2 * WEEK));
  const level = first ?? second ?? 0;
  const trend = first === null || second === null ? 0 : (second - first) / WEEK;
  // A week's mean is what its fourth day is expected to be without its weekday.
  const deviations = twoWeeks.map((value, day) => (value === null ? null : value - level - trend * (day - 3)));
  const weekdays = Array.from({ length: WEEK }, (_, day) =>
    meanOf([deviations[day] ?? null, deviations[day + WEEK] ?? null]),
  );
  return { level: level - trend * 4, trend, weekdays: weekdays.map((deviation) => deviation ?? 0) };
}

/**
 * Additive Holt-Winters with a damped trend and a period of seven days, one day on: l = α(y − s) + (1−α)(l + φb),
 * b = β(l − l₋₁) + (1−β)φb, s = γ(y − l₋₁ − φb) + (1−γ)s (Hyndman & Athanasopoulos, Forecasting: principles and practice,
 * 3rd ed., 8.3). A day that was not reported is taken as it was expected.
 */
export function smoothDay(state: SmoothState, value: number | null, by: Smoothing): SmoothState {
  const [weekday = 0, ...rest] = state.weekdays;
  const expected = state.level + by.damping * state.trend;
  const seen = value ?? expected + weekday;
  const level = by.level * (seen - weekday) + (1 - by.level) * expected;
  return {
    level,
    trend: by.trend * (level - state.level) + (1 - by.trend) * by.damping * state.trend,
    weekdays: [...rest, by.weekday * (seen - expected) + (1 - by.weekday) * weekday],
  };
}

/** What is expected `ahead` days after the state’s day (1: the next): l + (φ + … + φʰ)b + s. */
export function expectedAhead(state: SmoothState, ahead: number, { damping }: Smoothing): number {
  let drift = 0;
  for (let day = 1; day <= ahead; day++) drift += damping ** day * state.trend;
  return state.level + drift + (state.weekdays[(ahead - 1) % WEEK] ?? 0);
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
