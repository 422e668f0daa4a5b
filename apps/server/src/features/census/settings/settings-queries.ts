import type { CensusClass } from '@wardline/contract/census.ts';
import type { CensusSettings } from '@wardline/contract/census-settings.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';

type Queryable = Database | DatabaseTransaction;

/** What of a facility's settings is one row, changed in place. */
export interface FacilitySettings {
  readonly sign_off_time: string;
  readonly lock_after_days: number;
  readonly four_eyes: boolean;
  readonly denominator: CensusSettings['denominator'];
  readonly target_percent: number;
  readonly high_percent: number;
  readonly full_percent: number;
  readonly split_permissions: readonly string[];
  readonly boarding_hours: number;
  readonly log_retention_years: number | null;
  readonly log_head_emails: readonly string[];
}

export type UnitSettings = CensusSettings['units'][number] & { readonly unit_no: number };

/** The units of a facility with their people and their beds of all dates. */
export async function findUnitSettings(db: Queryable, facilityNo: number): Promise<UnitSettings[]> {
  const found = await sql<UnitSettings>`
    select u.unit_no, u.unit_id, n.code as unit_code, n.name as unit_name, u.classes, u.counts_in_census,
      u.counts_in_occupancy, u.hsloc, u.safr_group, lower(u.active) as active_from, upper(u.active) - 1 as active_to,
      (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name) order by p.name collate "und-x-icu", p.id), '[]')
        from census_assignments a
        join memberships m on m.user_id = a.user_id and m.facility_id = u.facility_id and m.ended_at is null
        join users p on p.id = a.user_id
        where a.unit_no = u.unit_no) as people,
      (select coalesce(json_agg(json_build_object('class', b.class, 'from', coalesce(lower(b.valid), '1900-01-01'),
          'licensed', b.licensed, 'physical', b.physical, 'staffed', b.staffed, 'surge', b.surge, 'reason', b.reason)
          order by b.class, lower(b.valid) nulls first), '[]')
        from bed_complements b where b.unit_no = u.unit_no) as beds
    from census_units u join units n on n.id = u.unit_id
    where u.facility_no = ${facilityNo}
    order by n.position, n.name collate "und-x-icu", u.unit_no`.execute(db);
  return found.rows;
}

/** Holds the facility's settings until the commit. Returns their version. */
export async function lockSettings(tx: DatabaseTransaction, facilityNo: number): Promise<number> {
  const found = await sql<{ version: number }>`
    select version from census_facilities where facility_no = ${facilityNo} for no key update`.execute(tx);
  return found.rows[0]?.version ?? 0;
}

export async function raiseSettingsVersion(tx: DatabaseTransaction, facilityNo: number): Promise<void> {
  await sql`update census_facilities set version = version + 1 where facility_no = ${facilityNo}`.execute(tx);
}

export async function storeFacilitySettings(
  tx: DatabaseTransaction,
  facilityNo: number,
  settings: Partial<FacilitySettings>,
): Promise<void> {
  const { split_permissions: split, log_head_emails: emails, ...plain } = settings;
  const changed = {
    ...plain,
    ...(split && { split_permissions: [...split] }),
    ...(emails && { log_head_emails: [...emails] }),
  };
  if (Object.keys(changed).length === 0) return;
  await tx.updateTable('census_facilities').set(changed).where('facility_no', '=', facilityNo).execute();
}

/** The newest day of a facility that was made, whose clock is fixed with it. */
export async function findNewestDay(db: Queryable, facilityNo: number): Promise<string | null> {
  const found = await sql<{ date: string | null }>`
    select max(census_date) as date from facility_days where facility_no = ${facilityNo}`.execute(db);
  return found.rows[0]?.date ?? null;
}

/** The newest day that was signed; nothing up to it is changed by a setting. */
export async function findLastSignedDay(db: Queryable, facilityNo: number): Promise<string | null> {
  const found = await sql<{ date: string | null }>`
    select max(census_date) as date from facility_days
    where facility_no = ${facilityNo} and (status in ('approved', 'locked') or signed_at is not null)`.execute(db);
  return found.rows[0]?.date ?? null;
}

export interface Clock {
  readonly time_zone: string;
  readonly census_time: string;
  readonly grace_minutes: number;
}

/** The clock counts from a date on; what was planned for that date or later gives way. */
export async function storeClock(
  tx: DatabaseTransaction,
  facilityNo: number,
  { from, clock }: { from: string; clock: Clock },
): Promise<void> {
  await sql`delete from census_hours where facility_no = ${facilityNo} and from_date >= ${from}`.execute(tx);
  await sql`
    insert into census_hours (facility_no, from_date, time_zone, census_time, grace_minutes)
    values (${facilityNo}, ${from}, ${clock.time_zone}, ${clock.census_time}, ${clock.grace_minutes})`.execute(tx);
}

/** True for a zone that the database knows by this name. */
export async function isKnownZone(db: Queryable, zone: string): Promise<boolean> {
  const found = await sql`select 1 from pg_timezone_names where name = ${zone}`.execute(db);
  return found.rows.length > 0;
}

/** True when a member's role gives this permission. */
export async function isHeld(
  tx: DatabaseTransaction,
  { facilityId, permission }: { facilityId: string; permission: string },
): Promise<boolean> {
  const found = await sql`
    select 1 from memberships m
    join users p on p.id = m.user_id and p.disabled_at is null
    join membership_roles mr on mr.membership_id = m.id
    join roles r on r.id = mr.role_id and ${permission} = any(r.permissions)
    where m.facility_id = ${facilityId} and m.ended_at is null limit 1`.execute(tx);
  return found.rows.length > 0;
}

export interface UnitColumns {
  readonly classes: readonly CensusClass[];
  readonly counts_in_census: boolean;
  readonly counts_in_occupancy: boolean;
  readonly hsloc: string | null;
  readonly safr_group: string | null;
  readonly active_from: string | null;
  readonly active_to: string | null;
}

export async function storeUnit(tx: DatabaseTransaction, unitNo: number, unit: UnitColumns): Promise<void> {
  await sql`
    update census_units set classes = ${[...unit.classes]}, counts_in_census = ${unit.counts_in_census},
      counts_in_occupancy = ${unit.counts_in_occupancy}, hsloc = ${unit.hsloc}, safr_group = ${unit.safr_group},
      active = daterange(${unit.active_from}::date, ${unit.active_to}::date, '[]')
    where unit_no = ${unitNo}`.execute(tx);
}

/** The unit begins to report a class with a date; what it owed before stays as it was. */
export async function storeClassFrom(
  tx: DatabaseTransaction,
  unitNo: number,
  { class: ofClass, from }: { class: CensusClass; from: string },
): Promise<void> {
  await sql`update census_units set ${sql.ref(`${ofClass}_from`)} = ${from} where unit_no = ${unitNo}`.execute(tx);
}

/** The first and last date of which a unit has a report, by class. */
export async function findReported(
  tx: DatabaseTransaction,
  unitNo: number,
): Promise<{ class: CensusClass; first: string; last: string }[]> {
  const found = await sql<{ class: CensusClass; first: string; last: string }>`
    select class, min(census_date) as first, max(census_date) as last from unit_census
    where unit_no = ${unitNo} group by class`.execute(tx);
  return found.rows;
}

/** Which of these people are members of the facility, by id with their names; held until the commit. */
export async function holdPeople(
  tx: DatabaseTransaction,
  { facilityId, userIds }: { facilityId: string; userIds: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const found = await sql<{ user_id: string; name: string }>`
    select m.user_id, p.name from memberships m join users p on p.id = m.user_id
    where m.facility_id = ${facilityId} and m.user_id = any(${[...userIds]}::uuid[]) and m.ended_at is null
    order by m.user_id for share of m`.execute(tx);
  return new Map(found.rows.map(({ user_id, name }) => [user_id, name]));
}

export async function storePeople(tx: DatabaseTransaction, unitNo: number, userIds: readonly string[]): Promise<void> {
  await sql`
    delete from census_assignments where unit_no = ${unitNo} and user_id <> all(${[...userIds]}::uuid[])`.execute(tx);
  await sql`
    insert into census_assignments (unit_no, user_id) select ${unitNo}, user_id from unnest(${[...userIds]}::uuid[]) as user_id
    on conflict do nothing`.execute(tx);
}

export interface NewBeds {
  readonly facilityNo: number;
  readonly unitNo: number;
  readonly class: CensusClass;
  readonly from: string;
  readonly licensed: number;
  readonly physical: number;
  readonly staffed: number;
  readonly surge: number;
  readonly reason: string | null;
}

/** The beds from a date on, up to the next change that is planned already; what held before ends the day before. */
export async function storeBeds(tx: DatabaseTransaction, beds: NewBeds): Promise<void> {
  const { unitNo, class: ofClass, from } = beds;
  await sql`
    delete from bed_complements where unit_no = ${unitNo} and class = ${ofClass} and lower(valid) = ${from}::date`.execute(
    tx,
  );
  await sql`
    update bed_complements set valid = daterange(lower(valid), ${from}::date)
    where unit_no = ${unitNo} and class = ${ofClass} and valid @> ${from}::date`.execute(tx);
  await sql`
    insert into bed_complements (facility_no, unit_no, class, valid, licensed, physical, staffed, surge, reason)
    select ${beds.facilityNo}, ${unitNo}, ${ofClass}, daterange(${from}::date, min(lower(later.valid))),
      ${beds.licensed}, ${beds.physical}, ${beds.staffed}, ${beds.surge}, ${beds.reason}
    from (select valid from bed_complements
      where unit_no = ${unitNo} and class = ${ofClass} and lower(valid) > ${from}::date) later`.execute(tx);
}

/** The days that are not signed expect what the units are now. */
export async function refreshOpenDays(tx: DatabaseTransaction, facilityNo: number): Promise<void> {
  await sql`
    select refresh_facility_days(facility_no, census_date, census_date) from facility_days
    where facility_no = ${facilityNo} and status in ('open', 'reopened')`.execute(tx);
}
