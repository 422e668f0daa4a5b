import { firstDateOfClock } from '@wardline/census/next-clock.ts';
import type * as contract from '@wardline/contract/census/settings.ts';
import type { CensusSettings } from '@wardline/contract/census/settings.ts';
import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { FacilityFormat } from '@wardline/format/facility-format.ts';
import { sql } from 'kysely';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { requireZone } from '#/platform/http/require-zone.ts';
import { announceClock } from './announce-clock.ts';
import { changeSettings, differences, type SettingsChange } from './change-settings.ts';
import { findFixedDate } from './next-clock.ts';

type Endpoint = typeof contract.updateCensusSettings;
type Body = BodyOf<Endpoint>;

export function updateCensusSettings({ discussions }: Pick<CensusDeps, 'discussions'>) {
  return async (
    ctx: RequestContext,
    { params, body }: { params: ParamsOf<Endpoint>; body: Body },
  ): Promise<ReplyOf<Endpoint>> => {
    const now = new Date();
    const wanted = { facilityId: params.facility, version: body.version };
    return changeSettings(ctx, wanted, async (tx, place) => {
      const settings = differences(settingsOf(place), changedSettings(place, body));
      guardBands(body);
      await storeFacilitySettings(tx, place.facility_no, settings.after);
      const format = differences(formatOf(place), { ...formatOf(place), ...givenOf(body, FORMAT_FIELDS) });
      await storeFormat(tx, place.facility_id, format.after);
      const clock = await changeClock(tx, { place, body, now });
      return {
        before: { ...settings.before, ...format.before, ...clock.before },
        after: { ...settings.after, ...format.after, ...clock.after },
        publish: await announceClock(tx, { discussions, place, actor: ctx.actor, clock }),
      };
    });
  };
}

function settingsOf(place: FacilityConfig): FacilitySettings {
  const { denominator, target_percent, high_percent, full_percent } = place;
  const split_permissions = place.split_permissions.toSorted();
  const { boarding_hours, asks_discharge_days, log_retention_years, log_head_emails } = place;
  return {
    denominator,
    target_percent,
    high_percent,
    full_percent,
    split_permissions,
    boarding_hours,
    asks_discharge_days,
    log_retention_years,
    log_head_emails,
  };
}

function changedSettings(place: FacilityConfig, body: Body): FacilitySettings {
  const { denominator, bands, split_permissions } = body;
  const { boarding_hours, asks_discharge_days, log_retention_years, log_head_emails } = body;
  return {
    ...settingsOf(place),
    ...(denominator !== undefined && { denominator }),
    ...(bands && { target_percent: bands.target, high_percent: bands.high, full_percent: bands.full }),
    ...(split_permissions && { split_permissions: [...new Set(split_permissions)].sort() }),
    ...(boarding_hours !== undefined && { boarding_hours }),
    ...(asks_discharge_days !== undefined && { asks_discharge_days }),
    ...(log_retention_years !== undefined && { log_retention_years }),
    ...(log_head_emails && { log_head_emails: [...new Set(log_head_emails)] }),
  };
}

function guardBands({ bands }: Body): void {
  if (bands && !(bands.target <= bands.high && bands.high <= bands.full)) {
    throw invalidField('bands', 'The target is at most high, and high is at most full.');
  }
}

/** Another hour, zone, deadline or four eyes count from the next census date on; days that have begun keep theirs. */
async function changeClock(
  tx: Transaction,
  { place, body, now }: { place: FacilityConfig; body: Body; now: Date },
): Promise<SettingsChange> {
  const standing = clockOf(place);
  const clock: Clock = { ...standing, ...givenOf(body, CLOCK_FIELDS) };
  const changed = differences(standing, clock);
  if (Object.keys(changed.after).length === 0) return changed;
  if (clock.time_zone !== place.time_zone) await requireZone(tx, clock.time_zone);
  const from = firstDateOfClock(clock, await findFixedDate(tx, place, now));
  await storeClock(tx, place.facility_no, { from, clock });
  if (changed.after.time_zone !== undefined) await storeZone(tx, place.facility_id, clock.time_zone);
  return { before: changed.before, after: { ...changed.after, from } };
}

/** What of a facility's settings is one row, changed in place. */
interface FacilitySettings {
  readonly denominator: CensusSettings['denominator'];
  readonly target_percent: number;
  readonly high_percent: number;
  readonly full_percent: number;
  readonly split_permissions: readonly string[];
  readonly boarding_hours: number;
  readonly asks_discharge_days: boolean;
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

const FORMAT_FIELDS = ['hour_cycle', 'date_order'] as const;

function formatOf({ hour_cycle, date_order }: FacilityFormat): FacilityFormat {
  return { hour_cycle, date_order };
}

/** Of the facility, not of its census alone: its chats are written so as well. */
async function storeFormat(
  tx: DatabaseTransaction,
  facilityId: string,
  format: Partial<FacilityFormat>,
): Promise<void> {
  if (Object.keys(format).length === 0) return;
  await tx.updateTable('facilities').set(format).where('id', '=', facilityId).execute();
}

/** The days of its chats and the quiet hours of its people go by the zone from now on; census dates have their own clock. */
async function storeZone(tx: DatabaseTransaction, facilityId: string, zone: string): Promise<void> {
  await tx.updateTable('facilities').set({ time_zone: zone }).where('id', '=', facilityId).execute();
}

/** The fields that the body gives. */
function givenOf<Field extends keyof Body>(
  body: Body,
  fields: readonly Field[],
): { [F in Field]?: NonNullable<Body[F]> } {
  const given = fields.flatMap((field) => (body[field] === undefined ? [] : [[field, body[field]]]));
  return Object.fromEntries(given);
}

const CLOCK_FIELDS = [
  'time_zone',
  'census_time',
  'grace_minutes',
  'four_eyes',
  'sign_off_time',
  'lock_after_days',
] as const satisfies readonly (keyof FacilityConfig)[];
type Clock = Pick<FacilityConfig, (typeof CLOCK_FIELDS)[number]>;

function clockOf({ time_zone, census_time, grace_minutes, four_eyes, sign_off_time, lock_after_days }: Clock): Clock {
  return { time_zone, census_time, grace_minutes, four_eyes, sign_off_time, lock_after_days };
}

/** The clock counts from a date on; what was planned for that date or later gives way. */
async function storeClock(
  tx: DatabaseTransaction,
  facilityNo: number,
  { from, clock }: { from: string; clock: Clock },
): Promise<void> {
  await sql`delete from census_hours where facility_no = ${facilityNo} and from_date >= ${from}`.execute(tx);
  await sql`
    insert into census_hours (facility_no, from_date, time_zone, census_time, grace_minutes, four_eyes, sign_off_time,
      lock_after_days)
    values (${facilityNo}, ${from}, ${clock.time_zone}, ${clock.census_time}, ${clock.grace_minutes}, ${clock.four_eyes},
      ${clock.sign_off_time}, ${clock.lock_after_days})`.execute(tx);
}
