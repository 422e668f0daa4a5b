import { setImmediate as nextTurn } from 'node:timers/promises';
import { addDays } from '@wardline/census/calendar.ts';
import { FORECAST_INTERVAL, type Forecast, forecast, type NoForecast } from '@wardline/census/forecast.ts';
import { CENSUS_CLASSES, type CensusClass } from '@wardline/contract/census.ts';
import type { ForecastSeries } from '@wardline/contract/census-board.ts';
import { isOpenOn } from './expected-days.ts';
import type { UnitDays } from './unit-days.ts';

/** Days of the past that are told beside the coming ones: those on which the method was tested. */
const SHOWN_DAYS = 56;
const REMEMBERED = 4_000;

/** A forecast follows from its history alone, so that what was computed for one holds wherever the same is asked again. */
const remembered = new Map<string, Forecast | NoForecast>();

type Values = readonly (number | null)[];

interface Subject {
  readonly unit_id: string | null;
  readonly unit_code: string | null;
  readonly class: CensusClass;
  readonly beds: number | null;
  readonly history: Values;
}

/** The facility as a whole for each class that it reports, then each open unit. */
export async function forecastAll(
  unitDays: readonly UnitDays[],
  { from, to }: { from: string; to: string },
): Promise<ForecastSeries[]> {
  const open = unitDays.filter((days) => isOpenOn(days.unit, days.class, to));
  const units = open.map(
    (days): Subject => ({
      unit_id: days.unit.unit_id,
      unit_code: days.unit.unit_code,
      class: days.class,
      beds: bedsOf(days),
      history: days.present,
    }),
  );
  const facility = CENSUS_CLASSES.flatMap((ofClass) =>
    wholeOf(
      unitDays.filter((days) => days.class === ofClass),
      to,
    ),
  );
  const series: ForecastSeries[] = [];
  for (const subject of [...facility, ...units]) {
    // Each takes some milliseconds of arithmetic: others are answered in between.
    await nextTurn();
    series.push(seriesOf(subject, from));
  }
  return series;
}

function bedsOf({ bed_days }: UnitDays): number | null {
  return bed_days.findLast((beds) => beds !== null) || null;
}

/** All units of a class together: a day counts only when every unit that was expected has reported. */
function wholeOf(units: readonly UnitDays[], to: string): Subject[] {
  const [first] = units;
  if (!first) return [];
  const values = units.map(({ present }) => present);
  const history = first.present.map((_, day) => {
    const expected = values
      .filter((_unit, index) => units[index]?.marks[day] !== '-')
      .map((value) => value[day] ?? null);
    if (expected.length === 0 || expected.includes(null)) return null;
    return expected.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  });
  // A unit that has closed counts in the days when it was open; its beds are gone.
  const open = units.filter((days) => isOpenOn(days.unit, days.class, to));
  const beds = open.reduce((sum, days) => sum + (bedsOf(days) ?? 0), 0);
  return [{ unit_id: null, unit_code: null, class: first.class, beds: beds || null, history }];
}

function seriesOf({ history, ...subject }: Subject, from: string): ForecastSeries {
  const found = remember(history);
  const shownFrom = Math.max(0, history.length - SHOWN_DAYS);
  const shown = history
    .slice(shownFrom)
    .map((present, index) => ({ census_date: addDays(from, shownFrom + index), present }));
  const common = { ...subject, history: shown, interval: FORECAST_INTERVAL };
  if (typeof found === 'string') {
    const nothing = { method: null, points: [], mae: null, baseline_mae: null, mase: null, coverage: null };
    return { ...common, ...nothing, absent_because: found, test_days: 0 };
  }
  const { method, mae, baseline_mae, mase, coverage, test_days } = found;
  const points = found.points.map((point, index) => ({ census_date: addDays(from, history.length + index), ...point }));
  return { ...common, method, absent_because: null, points, mae, baseline_mae, mase, coverage, test_days };
}

function remember(history: Values): Forecast | NoForecast {
  const key = history.join();
  const found = remembered.get(key) ?? forecast(history);
  remembered.delete(key);
  remembered.set(key, found);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  return found;
}
