import type { CensusClass } from '@wardline/contract/census.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { NewFacilityDay } from './config-queries.ts';

type Queryable = Database | DatabaseTransaction;

/** From which date on a facility counts by which clock. */
export interface DatedClock {
  readonly from_date: string;
  readonly time_zone: string;
  readonly census_time: string;
  readonly grace_minutes: number;
}

export interface FacilityClocks {
  readonly facility_no: number;
  /** The newest first. */
  readonly clocks: readonly DatedClock[];
  /** The newest day that was made. */
  readonly newest: string | null;
}

/** Every facility that takes a census, with its clocks. */
export async function findClocks(db: Database): Promise<FacilityClocks[]> {
  const found = await sql<FacilityClocks>`
    select c.facility_no,
      (select json_agg(json_build_object('from_date', h.from_date, 'time_zone', h.time_zone,
          'census_time', to_char(h.census_time, 'HH24:MI'), 'grace_minutes', h.grace_minutes) order by h.from_date desc)
        from census_hours h where h.facility_no = c.facility_no) as clocks,
      (select max(d.census_date) from facility_days d where d.facility_no = c.facility_no) as newest
    from census_facilities c
    where exists (select from census_units u where u.facility_no = c.facility_no and u.counts_in_census)
    order by c.facility_no`.execute(db);
  return found.rows;
}

/**
 * Makes these days, with what is expected of each, in the facilities that nobody is changing; what another process made
 * meanwhile stays. Returns how many it made.
 */
export async function insertDays(tx: DatabaseTransaction, wanted: readonly NewFacilityDay[]): Promise<number> {
  const held = await holdFacilities(
    tx,
    wanted.map(({ facilityNo }) => facilityNo),
  );
  const days = wanted.filter(({ facilityNo }) => held.has(facilityNo));
  const column = <T>(of: (day: NewFacilityDay) => T) => days.map(of);
  const made = await sql`
    with made as (
      insert into facility_days (facility_no, census_date, time_zone, utc_offset_minutes, census_at, due_at)
      select * from unnest(${column((day) => day.facilityNo)}::integer[], ${column((day) => day.date)}::date[],
        ${column((day) => day.timeZone)}::text[], ${column((day) => day.utcOffsetMinutes)}::smallint[],
        ${column((day) => day.censusAt.toISOString())}::timestamptz[],
        ${column((day) => day.dueAt.toISOString())}::timestamptz[])
      on conflict do nothing returning facility_no, census_date
    )
    select facility_no from made`.execute(tx);
  await sql`
    select refresh_facility_days(facility_no, census_date, census_date)
    from unnest(${column((day) => day.facilityNo)}::integer[], ${column((day) => day.date)}::date[])
      as made (facility_no, census_date)`.execute(tx);
  return made.rows.length;
}

/** Holds the census of a facility for the clock until the commit; false while somebody changes it: the next tick comes soon. */
export async function holdFacility(tx: DatabaseTransaction, facilityNo: number): Promise<boolean> {
  return (await holdFacilities(tx, [facilityNo])).has(facilityNo);
}

/** The same for several; those that are free. */
async function holdFacilities(tx: DatabaseTransaction, facilities: readonly number[]): Promise<Set<number>> {
  const held = await sql<{ facility_no: number }>`
    select facility_no from census_log_heads where facility_no = any(${[...facilities]}::integer[])
    order by facility_no for update skip locked`.execute(tx);
  return new Set(held.rows.map(({ facility_no }) => facility_no));
}

/** How urgent a report has become that nobody has handed in. */
export type NoticeKind = 'due_soon' | 'due' | 'missing' | 'long_missing';

export interface OwedNotice {
  readonly facility_no: number;
  readonly facility_id: string;
  readonly unit_no: number;
  readonly unit_id: string;
  readonly unit_code: string;
  readonly date: string;
  readonly class: CensusClass;
  readonly kind: NoticeKind;
  readonly due_at: Date;
  readonly time_zone: string;
}

/**
 * Reports that are owed and of which that has not been said yet, over all facilities or in one. What was returned had been
 * there: it is not missed.
 */
export async function findOwedNotices(
  db: Queryable,
  { now, facilityNo = null }: { now: Date; facilityNo?: number | null },
): Promise<OwedNotice[]> {
  const at = sql`${now}::timestamptz`;
  const found = await sql<OwedNotice>`
    select d.facility_no, c.facility_id, u.unit_no, u.unit_id, n.code as unit_code, d.census_date as date, k.class, w.kind,
      d.due_at, d.time_zone
    from facility_days d
    join census_facilities c on c.facility_no = d.facility_no
    join census_units u on u.facility_no = d.facility_no and u.counts_in_census
    join units n on n.id = u.unit_id
    join unit_classes k on k.unit_no = u.unit_no and k.during @> d.census_date
    cross join lateral (select case
      when ${at} < d.due_at then 'due_soon' when ${at} < d.due_at + interval '60 minutes' then 'due'
      when ${at} < d.due_at + interval '120 minutes' then 'missing' else 'long_missing' end as kind) w
    left join unit_census r on r.unit_no = u.unit_no and r.census_date = d.census_date and r.class = k.class
    where d.status in ('open', 'reopened') and (${facilityNo}::integer is null or d.facility_no = ${facilityNo})
      and d.due_at > ${at} - interval '24 hours' and d.due_at <= ${at} + interval '30 minutes'
      and (r.status is null or r.status = 'draft' or r.status = 'returned' and w.kind in ('due_soon', 'due'))
      and not exists (select from census_notices x
        where x.unit_no = u.unit_no and x.census_date = d.census_date and x.class = k.class and x.kind = w.kind)
    order by d.facility_no, d.census_date, n.position, n.code, k.class`.execute(db);
  return found.rows;
}

/** False when it was said already. */
export async function insertNotice(tx: DatabaseTransaction, notice: OwedNotice, at: Date): Promise<boolean> {
  const inserted = await sql`
    insert into census_notices (unit_no, census_date, class, kind, at)
    values (${notice.unit_no}, ${notice.date}, ${notice.class}, ${notice.kind}, ${at})
    on conflict do nothing returning 1`.execute(tx);
  return inserted.rows.length > 0;
}

export interface SignedDay {
  readonly facility_no: number;
  readonly facility_id: string;
  readonly date: string;
}

/** Signed days that are about as old as the days after which they lock; whoever asks looks at the very hour. */
export async function findDaysToLock(db: Database, now: Date): Promise<SignedDay[]> {
  const found = await sql<SignedDay>`
    select d.facility_no, c.facility_id, d.census_date as date
    from facility_days d join census_facilities c on c.facility_no = d.facility_no
    where d.status = 'approved'
      and d.census_at <= ${now}::timestamptz - make_interval(days => c.lock_after_days) + interval '26 hours'
    order by d.census_at limit 200`.execute(db);
  return found.rows;
}

/** Whether a day is signed and not locked. */
export async function isSignedOnly(
  tx: DatabaseTransaction,
  day: { facilityNo: number; date: string },
): Promise<boolean> {
  const found = await sql`
    select 1 from facility_days
    where facility_no = ${day.facilityNo} and census_date = ${day.date} and status = 'approved'`.execute(tx);
  return found.rows.length > 0;
}

/** Requests are remembered longer than a device can be away with its work. */
export async function purgeRequests(db: Database, now: Date): Promise<void> {
  await sql`delete from census_requests where at < ${now}::timestamptz - interval '60 days'`.execute(db);
}
