import { daysBetween } from '@wardline/census/calendar.ts';
import { hundredthsOf, nursingSums, type UnitMonthHours } from '@wardline/census/nursing-hours.ts';
import type { NursingSummary } from '@wardline/contract/census/nursing.ts';
import type * as contract from '@wardline/contract/census/summary.ts';
import type { SummaryStep } from '@wardline/contract/census/summary.ts';
import type { ParamsOf, QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { formatCount } from '@wardline/format/counts.ts';
import { seeSummary } from '#/features/census/core/policy.ts';
import { findNursingMonths, type NursingRow } from '#/features/census/nursing/nursing-queries.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { bandsOf, findCensusUnits, findLicensedBeds } from './current-config-queries.ts';
import { type DateRange, mustBeRange } from './date-range.ts';
import { countedPart } from './expected-days.ts';
import { findDayStatuses } from './heatmap-queries.ts';
import { findMissingDays } from './missing-days.ts';
import { newestCount } from './newest-count.ts';
import { stepSums, sumsByPopulation, sumsOfUnit } from './period-sums.ts';
import { requireCensus } from './require-census.ts';
import { partsOf } from './steps.ts';
import { countChanges, findOverrides, findStepSums, findTransferSums, findUnitSums } from './summary-queries.ts';

const MOST_DAYS = 3_700;
/** Three years: a step carries forty numbers. */
const MOST_DAYS_BY_DAY = 1_100;

interface Input {
  readonly params: ParamsOf<typeof contract.getCensusSummary>;
  readonly query: QueryOf<typeof contract.getCensusSummary>;
}

/** What a range adds up to, with what was expected of it beside; rates are divided by whoever shows them. */
export async function getCensusSummary(
  ctx: Pick<RequestContext, 'actor' | 'db'>,
  { params, query: { by = 'total', ...range } }: Input,
  now = new Date(),
): Promise<ReplyOf<typeof contract.getCensusSummary>> {
  const facility = await requireCensus(ctx, params.facility, seeSummary);
  mustFit(range, by);
  const { facility_no: facilityNo, denominator } = facility;
  const newest = newestCount(facility, now);
  const counted = countedPart(range, newest.date);
  const { db } = ctx;
  const wanted = { facilityNo, denominator, parts: partsOf(range) };
  const [units, beds, steps, unitSums, transfers, statuses, overrides, changes, nursing] = await Promise.all([
    findCensusUnits(db, { facilityNo, ...range }),
    findLicensedBeds(db, { facilityNo, ...range }),
    // The sums of a month cannot be told apart by day.
    findStepSums(db, { ...wanted, by, ...(by === 'day' ? { parts: { months: null, days: [range] } } : {}) }),
    findUnitSums(db, wanted),
    findTransferSums(db, { facilityNo, ...range }),
    by === 'day' ? findDayStatuses(db, { facilityNo, ...range }) : new Map<string, never>(),
    findOverrides(db, { facilityNo, ...range }),
    countChanges(db, { facilityNo, ...range }),
    summariseNursing(db, { facilityNo, months: counted && partsOf(counted).months }),
  ]);
  return {
    facility_id: params.facility,
    ...range,
    by,
    time_zone: newest.timeZone,
    denominator,
    bands: bandsOf(facility),
    total: sumsByPopulation(unitSums, { units, beds, period: counted }),
    steps: stepSums(steps, { units, beds, range, by, newest: newest.date }).map((step) => ({
      ...step,
      status: statuses.get(step.from) ?? null,
    })),
    units: units.flatMap((unit) => sumsOfUnit(unit, unitSums, { period: counted, beds })),
    transfers,
    overrides,
    missing: counted ? await findMissingDays(db, { facilityNo, units, range: counted }) : [],
    nursing,
    ...changes,
  };
}

function mustFit(range: DateRange, by: SummaryStep): void {
  mustBeRange(range, MOST_DAYS);
  if (by === 'day' && daysBetween(range.from, range.to) >= MOST_DAYS_BY_DAY) {
    throw invalidField('by', `Day by day, a range has at most ${formatCount(MOST_DAYS_BY_DAY)} days.`);
  }
}

interface Wanted {
  readonly facilityNo: number;
  /** First days of the first and of the last month that count; null: none does. */
  readonly months: { readonly first: string; readonly last: string } | null;
}

/** Numerators and denominators of nursing hours per patient day, of the facility and of each unit. */
export async function summariseNursing(
  db: RequestContext['db'],
  { facilityNo, months }: Wanted,
): Promise<NursingSummary> {
  if (months === null) return { first_month: null, last_month: null, total: nursingSums([]), units: [] };
  const rows = await findNursingMonths(db, { facilityNo, ...months });
  const unitIds = [...new Set(rows.map(({ unit_id }) => unit_id))];
  return {
    first_month: months.first.slice(0, 7),
    last_month: months.last.slice(0, 7),
    total: nursingSums(rows.map(hoursOf)),
    units: unitIds.map((unit_id) => ({
      unit_id,
      sums: nursingSums(rows.filter((row) => row.unit_id === unit_id).map(hoursOf)),
    })),
  };
}

function hoursOf(row: NursingRow): UnitMonthHours {
  return {
    rn: row.rn_hours === null ? null : hundredthsOf(row.rn_hours),
    other: row.other_hours === null ? null : hundredthsOf(row.other_hours),
    patientDays: row.patient_days,
    isWhole: row.reports >= row.reports_expected,
  };
}
