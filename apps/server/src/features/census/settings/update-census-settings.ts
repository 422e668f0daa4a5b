import { firstDateOfClock } from '@wardline/census/next-clock.ts';
import type * as contract from '@wardline/contract/census-settings.ts';
import type { CensusSettings } from '@wardline/contract/census-settings.ts';
import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { changeSettings, differences, type SettingsChange } from './change-settings.ts';
import { findFixedDate } from './next-clock.ts';
import { isKnownZone } from './settings-queries.ts';

type Endpoint = typeof contract.updateCensusSettings;
type Body = BodyOf<Endpoint>;

export async function updateCensusSettings(
  ctx: RequestContext,
  { params, body }: { params: ParamsOf<Endpoint>; body: Body },
): Promise<ReplyOf<Endpoint>> {
  const now = new Date();
  const wanted = { facilityId: params.facility, version: body.version };
  return changeSettings(ctx, wanted, async (tx, place) => {
    const settings = differences(settingsOf(place), changedSettings(place, body));
    await mustBePossible(tx, place, body);
    await storeFacilitySettings(tx, place.facility_no, settings.after);
    const clock = await changeClock(tx, { place, body, now });
    return {
      before: { ...settings.before, ...clock.before },
      after: { ...settings.after, ...clock.after },
    };
  });
}

function settingsOf(place: FacilityConfig): FacilitySettings {
  const { sign_off_time, lock_after_days, four_eyes, denominator, target_percent, high_percent, full_percent } = place;
  const split_permissions = place.split_permissions.toSorted();
  const { boarding_hours, log_retention_years, log_head_emails } = place;
  return {
    sign_off_time,
    lock_after_days,
    four_eyes,
    denominator,
    target_percent,
    high_percent,
    full_percent,
    split_permissions,
    boarding_hours,
    log_retention_years,
    log_head_emails,
  };
}

function changedSettings(place: FacilityConfig, body: Body): FacilitySettings {
  const { sign_off_time, lock_after_days, four_eyes, denominator, bands, split_permissions } = body;
  const { boarding_hours, log_retention_years, log_head_emails } = body;
  return {
    ...settingsOf(place),
    ...(sign_off_time !== undefined && { sign_off_time }),
    ...(lock_after_days !== undefined && { lock_after_days }),
    ...(four_eyes !== undefined && { four_eyes }),
    ...(denominator !== undefined && { denominator }),
    ...(bands && { target_percent: bands.target, high_percent: bands.high, full_percent: bands.full }),
    ...(split_permissions && { split_permissions: [...new Set(split_permissions)].sort() }),
    ...(boarding_hours !== undefined && { boarding_hours }),
    ...(log_retention_years !== undefined && { log_retention_years }),
    ...(log_head_emails && { log_head_emails: [...new Set(log_head_emails)] }),
  };
}

async function mustBePossible(
  tx: Transaction,
  place: FacilityConfig,
  { bands, split_permissions }: Body,
): Promise<void> {
  if (bands && !(bands.target <= bands.high && bands.high <= bands.full)) {
    throw invalidField('bands', 'The target is at most high, and high is at most full.');
  }
  const permission = 'census.configure';
  const isNew = split_permissions?.includes(permission) && !place.split_permissions.includes(permission);
  // Otherwise nobody could ever take it back.
  if (isNew && !(await isHeld(tx, { facilityId: place.facility_id, permission }))) {
    throw invalidField('split_permissions', 'Nobody has census.configure. Give it to a role first.');
  }
}

/** Another hour, zone or grace counts from the next census date on; days that were counted keep theirs. */
async function changeClock(
  tx: Transaction,
  { place, body, now }: { place: FacilityConfig; body: Body; now: Date },
): Promise<SettingsChange> {
  const { time_zone, census_time, grace_minutes } = place;
  const standing: Clock = { time_zone, census_time, grace_minutes };
  const clock: Clock = {
    time_zone: body.time_zone ?? time_zone,
    census_time: body.census_time ?? census_time,
    grace_minutes: body.grace_minutes ?? grace_minutes,
  };
  const changed = differences(standing, clock);
  if (Object.keys(changed.after).length === 0) return changed;
  if (clock.time_zone !== time_zone) await mustBeZone(tx, clock.time_zone);
  const from = firstDateOfClock(clock, await findFixedDate(tx, place, now));
  await storeClock(tx, place.facility_no, { from, clock });
  return { before: changed.before, after: { ...changed.after, from } };
}

/** A zone that both clocks know, ours and the database's. */
async function mustBeZone(tx: Transaction, zone: string): Promise<void> {
  if (!isIntlZone(zone) || !(await isKnownZone(tx, zone))) {
    throw invalidField('time_zone', 'This is not a time zone.');
  }
}

function isIntlZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** What of a facility's settings is one row, changed in place. */
interface FacilitySettings {
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

async function storeFacilitySettings(
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

interface Clock {
  readonly time_zone: string;
  readonly census_time: string;
  readonly grace_minutes: number;
}

/** The clock counts from a date on; what was planned for that date or later gives way. */
async function storeClock(
  tx: DatabaseTransaction,
  facilityNo: number,
  { from, clock }: { from: string; clock: Clock },
): Promise<void> {
  await sql`delete from census_hours where facility_no = ${facilityNo} and from_date >= ${from}`.execute(tx);
  await sql`
    insert into census_hours (facility_no, from_date, time_zone, census_time, grace_minutes)
    values (${facilityNo}, ${from}, ${clock.time_zone}, ${clock.census_time}, ${clock.grace_minutes})`.execute(tx);
}

/** True when a member's role gives this permission. */
async function isHeld(
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
