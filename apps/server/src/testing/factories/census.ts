import { balanceOf } from '@wardline/census/balance.ts';
import {
  type Population,
  SUMMED_FIELDS,
  type SummedField,
  type UnitDayStatus,
} from '@wardline/contract/census/census.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';

type Queryable = Database | DatabaseTransaction;

/** One report; what is not said is nothing: no movement, no beds. It is approved and came in time unless said otherwise. */
export interface UnitDayState extends Readonly<Partial<Record<SummedField, number>>> {
  readonly date: string;
  readonly opening?: number;
  /** As many licensed, physical and staffed ones. */
  readonly beds?: number;
  readonly licensed?: number;
  readonly blocked?: number;
  readonly status?: UnitDayStatus;
  readonly source?: 'manual' | 'adt' | 'import';
  readonly isOnTime?: boolean;
  readonly openingFrom?: string;
  readonly restatementNo?: number;
}

interface Reports {
  readonly unitId: string;
  readonly population?: Population;
  /** Who submitted and approved them. */
  readonly by: string;
  readonly days: readonly UnitDayState[];
}

/** The numbers under which the database keeps a unit and its facility. */
export async function censusPlaceOf(
  db: Queryable,
  unitId: string,
): Promise<{ facility_no: number; unit_no: number; time_zone: string }> {
  const found = await sql<{ facility_no: number; unit_no: number; time_zone: string }>`
    select u.facility_no, u.unit_no, f.time_zone from census_units u join facilities f on f.id = u.facility_id
    where u.unit_id = ${unitId}`.execute(db);
  const [place] = found.rows;
  if (!place) throw new Error(`no unit ${unitId}`);
  return place;
}

/** Stores reports of a unit as their submissions and approvals would have left them, with the days and sums they are part of. */
export async function makeUnitDays(db: Queryable, reports: Reports): Promise<void> {
  const { unitId, population = 'adult_and_child', by, days } = reports;
  const place = await censusPlaceOf(db, unitId);
  const { facility_no, unit_no } = place;
  const rows = days.map((day) => ({
    ...{ facility_no, unit_no, population, submitted_by: by, approved_by: by },
    ...rowOf(day),
  }));
  const dates = days.map(({ date }) => date).sort();
  const [from, to] = [dates[0], dates.at(-1)];
  if (from === undefined || to === undefined) return;
  await makeDays(db, place, dates);
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)));
  await sql`
    insert into unit_census (${columns}, submitted_at, approved_at)
    select ${columns}, now(), now() from jsonb_populate_recordset(null::unit_census, ${JSON.stringify(rows)}::jsonb)`.execute(
    db,
  );
  await sql`select refresh_census_sums(${place.facility_no}, ${place.unit_no}, ${population}, ${from}::date, ${to}::date)`.execute(
    db,
  );
}

/** The facility's days of these dates, where they are not there yet. */
async function makeDays(
  db: Queryable,
  place: Awaited<ReturnType<typeof censusPlaceOf>>,
  dates: readonly string[],
): Promise<void> {
  await sql`
    insert into facility_days (facility_no, census_date, time_zone, utc_offset_minutes, census_at, due_at)
    select ${place.facility_no}, d, ${place.time_zone},
      extract(epoch from (d + 1)::timestamp - ((d + 1)::timestamp at time zone ${place.time_zone}) at time zone 'UTC') / 60,
      (d + 1)::timestamp at time zone ${place.time_zone}, (d + 1)::timestamp at time zone ${place.time_zone} + interval '1 hour'
    from unnest(${dates}::date[]) as t(d) on conflict do nothing`.execute(db);
}

/** The columns that a submission and an approval write. */
function rowOf({ date, opening = 0, beds = 0, ...day }: UnitDayState) {
  const summed = Object.fromEntries(SUMMED_FIELDS.map((field) => [field, day[field] ?? 0])) as Record<
    SummedField,
    number
  >;
  const { present } = balanceOf({ opening, ...summed });
  return {
    census_date: date,
    opening,
    ...summed,
    counted: present,
    beds_licensed: day.licensed ?? beds,
    beds_physical: beds,
    beds_staffed: beds,
    beds_blocked: day.blocked ?? 0,
    status: day.status ?? 'approved',
    source: day.source ?? 'manual',
    is_on_time: day.isOnTime ?? true,
    opening_from: day.openingFrom ?? null,
    restatement_no: day.restatementNo ?? null,
    capacity_reason: 'Beds in the corridor',
  };
}

/** What somebody takes to be in a unit whose report is missing. */
export async function makeEstimate(
  db: Queryable,
  options: {
    readonly unitId: string;
    readonly date: string;
    readonly census: number;
    readonly by: string;
    readonly reason?: string;
  },
): Promise<void> {
  const place = await censusPlaceOf(db, options.unitId);
  await makeDays(db, place, [options.date]);
  await sql`
    insert into census_estimates (facility_no, unit_no, census_date, population, census, reason, estimated_by, estimated_at)
    values (${place.facility_no}, ${place.unit_no}, ${options.date}, 'adult_and_child', ${options.census},
      ${options.reason ?? 'Phoned the ward'}, ${options.by}, now())`.execute(db);
}

/** What two units say of those who moved between them on a date. */
export async function makeTransfer(
  db: Queryable,
  options: {
    readonly date: string;
    readonly from: string;
    readonly to: string;
    readonly out: number | null;
    readonly in: number | null;
  },
): Promise<void> {
  const [from, to] = [await censusPlaceOf(db, options.from), await censusPlaceOf(db, options.to)];
  await sql`
    insert into unit_transfers (facility_no, census_date, from_unit, to_unit, out_count, in_count)
    values (${from.facility_no}, ${options.date}, ${from.unit_no}, ${to.unit_no}, ${options.out}, ${options.in})`.execute(
    db,
  );
}
