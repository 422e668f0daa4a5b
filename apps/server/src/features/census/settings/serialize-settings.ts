import type { CensusSettings } from '@wardline/contract/census/settings.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { configure } from '#/features/census/core/policy.ts';
import { toFacilityContext } from '#/features/census/core/require-facility.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { findFixedDate } from './next-clock.ts';
import { findUnitSettings } from './settings-queries.ts';

/** Far enough that every clock that was planned has begun: settings show what will count. */
export const LATEST_CLOCK = '9998-12-31';

/** The settings as they stand, with a clock that may only begin with the next census date. */
export async function serializeSettings(
  db: RequestContext['db'],
  place: FacilityConfig,
  actor: Actor,
): Promise<CensusSettings> {
  const units = await findUnitSettings(db, place.facility_no);
  const fixed = await findFixedDate(db, place, new Date());
  return {
    facility_id: place.facility_id,
    version: place.version,
    time_zone: place.time_zone,
    census_time: place.census_time,
    grace_minutes: place.grace_minutes,
    clock_from: place.clock_from,
    clock_fixed: { census_date: fixed.date, census_at: new Date(fixed.countedAt).toISOString() },
    sign_off_time: place.sign_off_time,
    lock_after_days: place.lock_after_days,
    four_eyes: place.four_eyes,
    denominator: place.denominator,
    bands: { target: place.target_percent, high: place.high_percent, full: place.full_percent },
    split_permissions: place.split_permissions as CensusSettings['split_permissions'],
    boarding_hours: place.boarding_hours,
    asks_discharge_days: place.asks_discharge_days,
    log_retention_years: place.log_retention_years,
    log_head_emails: place.log_head_emails,
    hour_cycle: place.hour_cycle,
    date_order: place.date_order,
    units: units.map(({ unit_no, ...unit }) => unit),
    may: { configure: can(actor, configure, toFacilityContext(place)) },
  };
}
