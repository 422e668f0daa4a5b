import { datesFrom } from '@wardline/census/calendar.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import type { CensusSummary } from '@wardline/contract/census/summary.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { CensusUnit } from './current-config-queries.ts';
import type { DateRange } from './date-range.ts';
import { expectedDays, isOpenOn } from './expected-days.ts';
import { monthOf, partsOf, stepsOf } from './steps.ts';

const MOST_MISSING = 100;

interface Wanted {
  readonly facilityNo: number;
  readonly units: readonly CensusUnit[];
  /** Of days that have been counted. */
  readonly range: DateRange;
}

/** A unit's part of one calendar month in which a report is, or may be, missing. */
interface Suspect {
  readonly unit: CensusUnit;
  readonly population: Population;
  readonly part: DateRange;
}

/**
 * The newest unit-days of a range that were not handed in. The months' counts of reports say in which months there are any,
 * so that years of complete reports are not read.
 */
export async function findMissingDays(db: RequestContext['db'], wanted: Wanted): Promise<CensusSummary['missing']> {
  const suspects = await findSuspects(db, wanted);
  const months = suspects.map((suspect) => ({
    unit_no: suspect.unit.unit_no,
    population: suspect.population,
    month: monthOf(suspect.part.from),
  }));
  const reported = await findReportedDates(db, months);
  const missing = suspects.flatMap((suspect) =>
    datesFrom(suspect.part.from, suspect.part.to)
      .filter((date) => isOpenOn(suspect.unit, suspect.population, date))
      .filter((date) => !reported.has(`${suspect.unit.unit_no} ${suspect.population} ${date}`))
      .map((date) => ({
        unit_id: suspect.unit.unit_id,
        unit_code: suspect.unit.unit_code,
        population: suspect.population,
        census_date: date,
      })),
  );
  // The sort is stable: units of one date stay in the order in which people know them.
  return missing.toSorted((a, b) => b.census_date.localeCompare(a.census_date)).slice(0, MOST_MISSING);
}

async function findSuspects(db: RequestContext['db'], { facilityNo, units, range }: Wanted): Promise<Suspect[]> {
  const rows = await findReportedMonths(db, { facilityNo, first: monthOf(range.from), last: monthOf(range.to) });
  const daysReported = new Map(rows.map((row) => [`${row.unit_no} ${row.population} ${row.month}`, row.days_reported]));
  const cut = new Set(partsOf(range).days.map(({ from }) => from));
  const suspects: Suspect[] = [];
  let missing = 0;
  for (const part of stepsOf(range, 'month').toReversed()) {
    for (const unit of units) {
      for (const population of unit.populations) {
        const expected = expectedDays(unit, population, part);
        const reported = daysReported.get(`${unit.unit_no} ${population} ${monthOf(part.from)}`) ?? 0;
        // The kept count is of the whole month: where the range cuts it, the days must be looked at.
        const isCut = cut.has(part.from);
        if (expected === 0 || (!isCut && reported >= expected)) continue;
        suspects.push({ unit, population, part });
        if (!isCut) missing += expected - reported;
      }
    }
    if (missing >= MOST_MISSING) break;
  }
  return suspects;
}

/** In how many days of each month a unit reported, from its months; a month without a report has no row. */
interface ReportedMonth {
  readonly unit_no: number;
  readonly population: Population;
  readonly month: string;
  readonly days_reported: number;
}

async function findReportedMonths(
  db: Database,
  { facilityNo, first, last }: { facilityNo: number; first: string; last: string },
): Promise<ReportedMonth[]> {
  const found = await sql<ReportedMonth>`
    select unit_no, population, month, days_reported from unit_months
    where facility_no = ${facilityNo} and month between ${first}::date and ${last}::date`.execute(db);
  return found.rows;
}

interface UnitMonth {
  readonly unit_no: number;
  readonly population: Population;
  readonly month: string;
}

/** The dates that units reported in these months, as `unit population date`. */
async function findReportedDates(db: Database, months: readonly UnitMonth[]): Promise<Set<string>> {
  if (months.length === 0) return new Set();
  const found = await sql<{ key: string }>`
    select concat_ws(' ', c.unit_no, c.population, c.census_date) as key
    from unnest(${months.map(({ unit_no }) => unit_no)}::integer[], ${months.map((month) => month.population)}::text[],
      ${months.map(({ month }) => month)}::date[]) as m (unit_no, population, month)
    join reported_unit_census c on c.unit_no = m.unit_no and c.population = m.population
      and c.census_date >= m.month and c.census_date < m.month + interval '1 month'`.execute(db);
  return new Set(found.rows.map(({ key }) => key));
}
