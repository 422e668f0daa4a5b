import { addDays, datesFrom } from '@wardline/census/calendar.ts';
import type { SummaryStep } from '@wardline/contract/census/summary.ts';
import {
  type CensusUnit,
  findCensusUnits,
  findLicensedBeds,
  type LicensedBeds,
} from '#/features/census/board/current-config-queries.ts';
import type { DateRange } from '#/features/census/board/date-range.ts';
import { countedPart } from '#/features/census/board/expected-days.ts';
import { summariseNursing } from '#/features/census/board/get-census-summary.ts';
import { sumsByPopulation, sumsOfUnit } from '#/features/census/board/period-sums.ts';
import { firstDayOf, partsOf, stepsOf } from '#/features/census/board/steps.ts';
import { findUnitStepSums, type UnitStepSums } from '#/features/census/board/summary-queries.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import type { Database } from '#/platform/db/database.ts';
import { facilityLines, type LineContext, type MeasureLine, nursingLines, unitLines } from './measure-lines.ts';

interface WantedMeasures extends DateRange {
  readonly place: FacilityConfig;
  readonly by: SummaryStep;
  /** The newest census date whose hour has come. */
  readonly newest: string;
}

/** So many steps are read and summed at once; who else asks the server comes in between. */
const AT_ONCE = 93;

/**
 * The measures of a range, a page at a time: of the whole range the facility, each unit and nursing hours, then each step of
 * it. Day by day the units are left out: their days are the export of unit reports.
 */
export async function* measurePages(db: Database, wanted: WantedMeasures): AsyncGenerator<MeasureLine[]> {
  const { place, from, to, by, newest } = wanted;
  const facilityNo = place.facility_no;
  const [units, beds] = await Promise.all([
    findCensusUnits(db, { facilityNo, from, to }),
    findLicensedBeds(db, { facilityNo, from, to }),
  ]);
  const config = { units, beds, newest, place };
  const whole = await findUnitStepSums(db, {
    facilityNo,
    denominator: place.denominator,
    parts: partsOf(wanted),
    by: 'total',
  });
  yield [...linesOf({ from, to }, whole, config, { withUnits: true }), ...(await wholeNursingLines(db, wanted, units))];
  if (by === 'total') return;
  const steps = stepsOf({ from, to }, by);
  for (let first = 0; first < steps.length; first += AT_ONCE) {
    yield await stepPage(db, steps.slice(first, first + AT_ONCE), { ...config, by });
  }
}

interface Config {
  readonly place: FacilityConfig;
  readonly units: readonly CensusUnit[];
  readonly beds: readonly LicensedBeds[];
  readonly newest: string;
}

async function stepPage(
  db: Database,
  steps: readonly DateRange[],
  { by, ...config }: Config & { readonly by: SummaryStep },
): Promise<MeasureLine[]> {
  const { facility_no: facilityNo, denominator } = config.place;
  const range = { from: steps[0]?.from ?? '', to: steps.at(-1)?.to ?? '' };
  // The sums of a month cannot be told apart by day.
  const parts = by === 'day' ? { months: null, days: [range] } : partsOf(range);
  const rows = await findUnitStepSums(db, { facilityNo, denominator, parts, by });
  const rowsOf = new Map<string | null, UnitStepSums[]>();
  for (const row of rows) {
    const known = rowsOf.get(row.step);
    if (known) known.push(row);
    else rowsOf.set(row.step, [row]);
  }
  return steps.flatMap((step) =>
    linesOf(step, rowsOf.get(firstDayOf(step.from, by)) ?? [], config, { withUnits: by !== 'day' }),
  );
}

function linesOf(
  range: DateRange,
  rows: readonly UnitStepSums[],
  { place, units, beds, newest }: Config,
  { withUnits }: { readonly withUnits: boolean },
): MeasureLine[] {
  const period = countedPart(range, newest);
  // Of what lies ahead nothing is expected.
  if (period === null) return [];
  const context = contextOf(place, range);
  const ofUnits = units.flatMap((unit) => sumsOfUnit(unit, rows, { period, beds }));
  const lines = facilityLines(context, sumsByPopulation(rows, { units, beds, period }), ofUnits);
  return withUnits ? [...lines, ...ofUnits.flatMap((unit) => unitLines(context, unit))] : lines;
}

/** Of the whole months in the range; they are told in the lines as from and to. */
async function wholeNursingLines(
  db: Database,
  { place, newest, ...range }: WantedMeasures,
  units: readonly CensusUnit[],
): Promise<MeasureLine[]> {
  const counted = countedPart(range, newest);
  const months = counted && partsOf(counted).months;
  if (!months) return [];
  const { total, units: ofUnits } = await summariseNursing(db, { facilityNo: place.facility_no, months });
  const context = contextOf(place, { from: months.first, to: lastOfMonth(months.last) });
  const codeOf = new Map(units.map(({ unit_id, unit_code }) => [unit_id, unit_code]));
  return [
    ...nursingLines(context, '', total),
    ...ofUnits.flatMap(({ unit_id, sums }) => nursingLines(context, codeOf.get(unit_id) ?? '', sums)),
  ];
}

function lastOfMonth(first: string): string {
  return datesFrom(first, addDays(first, 31)).findLast((date) => date.slice(0, 7) === first.slice(0, 7)) ?? first;
}

function contextOf(
  { facility_code: facilityCode, denominator: beds }: FacilityConfig,
  { from, to }: DateRange,
): LineContext {
  return { facilityCode, beds, from, to };
}
