import { addDays } from '@wardline/census/calendar.ts';
import { FORECAST_DAYS, FORECAST_HISTORY_DAYS } from '@wardline/census/forecast/forecast.ts';
import type * as contract from '@wardline/contract/census/board.ts';
import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { seeBoard } from '#/features/census/core/policy.ts';
import type { Database } from '#/platform/db/database.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { findCensusUnits } from './current-config-queries.ts';
import { forecastAll } from './forecast-series.ts';
import type { PlannedBeds } from './forecast-subjects.ts';
import { findUnitReports } from './heatmap-queries.ts';
import { newestCount } from './newest-count.ts';
import { requireCensus } from './require-census.ts';
import { unitDaysOf } from './unit-days.ts';

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
  const past = { from: addDays(newest, 1 - FORECAST_HISTORY_DAYS), to: newest };
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

/** What holds on some day of a range for the units of a facility. */
async function findPlannedBeds(
  db: Database,
  { facilityNo, from, to }: { facilityNo: number; from: string; to: string },
): Promise<PlannedBeds[]> {
  const found = await sql<PlannedBeds>`
    select b.unit_no, b.population, lower(b.valid) as "from", upper(b.valid) as until, b.staffed
    from census_units u join bed_complements b on b.unit_no = u.unit_no and b.valid && daterange(${from}, ${to}, '[]')
    where u.facility_no = ${facilityNo}`.execute(db);
  return found.rows;
}
