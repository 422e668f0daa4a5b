import { datesFrom } from '@wardline/census/calendar.ts';
import type * as contract from '@wardline/contract/census/board.ts';
import type { FacilityDayStatus } from '@wardline/contract/census/day.ts';
import type { ParamsOf, QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { listEstimates } from '#/features/census/core/estimate-queries.ts';
import { seeUnitDays } from '#/features/census/core/policy.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { bandsOf, findCensusUnits } from './current-config-queries.ts';
import { mustBeRange } from './date-range.ts';
import { findDayStatuses, findUnitReports } from './heatmap-queries.ts';
import { newestCount } from './newest-count.ts';
import { requireCensus } from './require-census.ts';
import { unitDaysOf } from './unit-days.ts';

const MOST_DAYS = 400;

const DAY_MARKS: Readonly<Record<FacilityDayStatus, string>> = { open: 'o', approved: 's', locked: 'l', reopened: 'r' };

interface Input {
  readonly params: ParamsOf<typeof contract.getCensusHeatmap>;
  readonly query: QueryOf<typeof contract.getCensusHeatmap>;
}

/** Unit × day; a day that was not reported is null and never 0. */
export async function getCensusHeatmap(
  ctx: Pick<RequestContext, 'actor' | 'db'>,
  { params, query: range }: Input,
  now = new Date(),
): Promise<ReplyOf<typeof contract.getCensusHeatmap>> {
  const facility = await requireCensus(ctx, params.facility, seeUnitDays);
  mustBeRange(range, MOST_DAYS);
  const { facility_no: facilityNo, denominator } = facility;
  const [units, reports, estimates, statuses] = await Promise.all([
    findCensusUnits(ctx.db, { facilityNo, ...range }),
    findUnitReports(ctx.db, { facilityNo, ...range, denominator }),
    listEstimates(ctx.db, { facilityNo, ...range }),
    findDayStatuses(ctx.db, { facilityNo, ...range }),
  ]);
  const { date: newest } = newestCount(facility, now);
  return {
    facility_id: params.facility,
    ...range,
    denominator,
    bands: bandsOf(facility),
    days: datesFrom(range.from, range.to)
      .map((date) => DAY_MARKS[statuses.get(date) ?? 'open'])
      .join(''),
    units: unitDaysOf({ units, reports, estimates, newest }, range).map(({ unit, ...days }) => ({
      unit_id: unit.unit_id,
      unit_code: unit.unit_code,
      unit_name: unit.unit_name,
      counts_in_occupancy: unit.counts_in_occupancy,
      population: days.population,
      service_days: [...days.service_days],
      present: [...days.present],
      bed_days: [...days.bed_days],
      marks: days.marks,
      restated: days.restated,
      late: days.late,
      estimates: days.estimates,
    })),
  };
}
