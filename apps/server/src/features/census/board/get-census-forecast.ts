import { addDays } from '@wardline/census/calendar.ts';
import { FORECAST_DAYS } from '@wardline/census/forecast.ts';
import type * as contract from '@wardline/contract/census-board.ts';
import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { seeBoard } from '#/features/census/core/policy.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { findCensusUnits } from './current-config-queries.ts';
import { forecastAll } from './forecast-series.ts';
import { findUnitReports } from './heatmap-queries.ts';
import { newestCount } from './newest-count.ts';
import { findPlannedBeds } from './planned-beds-queries.ts';
import { requireCensus } from './require-census.ts';
import { unitDaysOf } from './unit-days.ts';

const HISTORY_DAYS = 400;

interface Input {
  readonly params: ParamsOf<typeof contract.getCensusForecast>;
}

/** What the coming seven days are expected to be, from the last 400. */
export async function getCensusForecast(
  ctx: Pick<RequestContext, 'actor' | 'db'>,
  { params }: Input,
  now = new Date(),
): Promise<ReplyOf<typeof contract.getCensusForecast>> {
  const facility = await requireCensus(ctx, params.facility, seeBoard);
  const { facility_no: facilityNo } = facility;
  const { date: newest } = newestCount(facility, now);
  const past = { from: addDays(newest, 1 - HISTORY_DAYS), to: newest };
  const ahead = { from: addDays(newest, 1), to: addDays(newest, FORECAST_DAYS) };
  const [units, reports, planned] = await Promise.all([
    // A unit that opens in the coming days brings its beds.
    findCensusUnits(ctx.db, { facilityNo, from: past.from, to: ahead.to }),
    // Who is expected needs beds with people, whatever occupancy is a share of.
    findUnitReports(ctx.db, { facilityNo, ...past, denominator: 'staffed' }),
    findPlannedBeds(ctx.db, { facilityNo, ...ahead }),
  ]);
  const series = await forecastAll(unitDaysOf({ units, reports, newest }, past), { past, ahead, planned });
  return { facility_id: params.facility, from: ahead.from, series };
}
