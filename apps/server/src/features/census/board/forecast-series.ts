import { setImmediate as nextTurn } from 'node:timers/promises';
import { addDays } from '@wardline/census/calendar.ts';
import { FORECAST_INTERVAL, type Forecast, forecast, type NoForecast } from '@wardline/census/forecast/forecast.ts';
import type { ForecastSeries } from '@wardline/contract/census/board.ts';
import { POPULATIONS } from '@wardline/contract/census/census.ts';
import { isOpenOn } from './expected-days.ts';
import { type ForecastDays, type ForecastSubject, facilitySubject, unitSubject } from './forecast-subjects.ts';
import type { UnitDays } from './unit-days.ts';

/** Days of the past that are told beside the coming ones: those on which the method was tested. */
const SHOWN_DAYS = 56;
const REMEMBERED = 4_000;

/** A forecast follows from its history alone, so that what was computed for one holds wherever the same is asked again. */
const remembered = new Map<string, Forecast | NoForecast>();

type OutsideOn = (date: string) => number | null;

/** For each population the units with beds as one, then each open unit. */
export async function forecastAll(unitDays: readonly UnitDays[], days: ForecastDays): Promise<ForecastSeries[]> {
  const units: ForecastSeries[] = [];
  for (const one of unitDays) {
    if (isOpenOn(one.unit, one.population, days.past.to)) units.push(await seriesOf(unitSubject(one, days), days));
  }
  const facility: ForecastSeries[] = [];
  for (const population of POPULATIONS) {
    const subject = facilitySubject(unitDays, population, days);
    const outside = units.filter((unit) => unit.population === population && !unit.counts_in_occupancy);
    if (subject) facility.push(await seriesOf(subject, days, outsideOf(outside)));
  }
  return [...facility, ...units];
}

/** Who is expected in these units on a date; null where there are none, or one of them cannot be told. */
function outsideOf(units: readonly ForecastSeries[]): OutsideOn {
  if (units.length === 0 || units.some(({ method }) => method === null)) return () => null;
  // A unit that is closed on the date has nobody.
  const valueOn = (unit: ForecastSeries, date: string) =>
    unit.points.find(({ census_date }) => census_date === date)?.value ?? 0;
  return (date) => units.reduce((sum, unit) => sum + valueOn(unit, date), 0);
}

async function seriesOf(
  { present, beds, bedsAhead, ...subject }: ForecastSubject,
  { past, ahead }: ForecastDays,
  outsideOn: OutsideOn = () => null,
): Promise<ForecastSeries> {
  // Each takes some milliseconds of arithmetic: others are answered in between.
  await nextTurn();
  const found = remember(present);
  const shownFrom = Math.max(0, present.length - SHOWN_DAYS);
  const history = present.slice(shownFrom).map((count, index) => ({
    census_date: addDays(past.from, shownFrom + index),
    present: count,
    beds: beds[shownFrom + index] ?? null,
  }));
  const common = { ...subject, history, interval: FORECAST_INTERVAL };
  if (typeof found === 'string') {
    const nothing = { method: null, points: [], mae: null, baseline_mae: null, mase: null, coverage: null };
    return { ...common, ...nothing, absent_because: found, test_days: 0 };
  }
  const { method, mae, baseline_mae, mase, coverage, test_days } = found;
  const points = found.points
    .map((point, index) => ({ census_date: addDays(ahead.from, index), ...point }))
    .filter(({ census_date }) => bedsAhead.has(census_date))
    .map((point) => ({
      ...point,
      beds: bedsAhead.get(point.census_date) ?? null,
      outside: outsideOn(point.census_date),
    }));
  return { ...common, method, absent_because: null, points, mae, baseline_mae, mase, coverage, test_days };
}

function remember(history: ForecastSubject['present']): Forecast | NoForecast {
  const key = history.join();
  const found = remembered.get(key) ?? forecast(history);
  remembered.delete(key);
  remembered.set(key, found);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  return found;
}
