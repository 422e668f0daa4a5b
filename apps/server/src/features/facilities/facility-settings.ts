import { isDeepStrictEqual } from 'node:util';
import type { BodyOf, ParamsOf } from '@wardline/contract/endpoint.ts';
import type * as contract from '@wardline/contract/facilities/facility-settings.ts';
import type { FacilitySettings } from '@wardline/contract/facilities/facility-settings.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorize, authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { manageFacility, seeFacility } from './core/policy.ts';
import { requireFreeCode } from './core/require-free-code.ts';
import { lockAndFindOwn } from './core/role-queries.ts';

type Endpoint = typeof contract.updateFacility;

/** What a facility is called, where it lies and when its shifts begin, with how many may do what there. */
export async function getFacilitySettings(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { params }: { params: ParamsOf<typeof contract.getFacilitySettings> },
): Promise<FacilitySettings> {
  mayManage(actor, params.facility);
  return findSettings(db, params.facility);
}

export async function updateFacility(
  { actor, write }: Pick<RequestContext, 'actor' | 'write'>,
  { params, body }: { params: ParamsOf<Endpoint>; body: BodyOf<Endpoint> },
): Promise<FacilitySettings> {
  const { facility: facilityId } = params;
  mayManage(actor, facilityId);
  return write('facility.update', async (tx) => {
    await lockAndFindOwn(tx, { facilityId, userId: actor.userId }, 'facility.manage');
    const standing = await findSettings(tx, facilityId);
    const { expected_version, ...rest } = body;
    const shift_starts = rest.shift_starts?.toSorted((a, b) => a.time.localeCompare(b.time));
    const given = { ...rest, shift_starts };
    if (standing.version !== expected_version) {
      throw new AppError('conflict', { message: 'Someone else changed the facility in the meantime.' });
    }
    const fields = (['name', 'code', 'latitude', 'longitude', 'shows_last_seen', 'shift_starts'] as const).filter(
      (field) => given[field] !== undefined && !isDeepStrictEqual(given[field], standing[field]),
    );
    if (fields.length === 0) return { result: standing, audit: null };
    const next = { ...standing, ...Object.fromEntries(fields.map((field) => [field, given[field]])) };
    if ((next.latitude === null) !== (next.longitude === null)) {
      throw invalidField(next.latitude === null ? 'latitude' : 'longitude', 'Both or neither: latitude and longitude.');
    }
    const { name, code, latitude, longitude, shows_last_seen } = next;
    const isNewCode = fields.includes('code');
    if (isNewCode) await requireFreeCode(tx, { code, facilityId });
    const version = standing.version + 1;
    await tx
      .updateTable('facilities')
      .set({
        name,
        code,
        ...(isNewCode && { code_is_shared: false }),
        latitude,
        longitude,
        ...(shows_last_seen !== undefined && { shows_last_seen }),
        ...(shift_starts && { shift_starts: JSON.stringify(shift_starts) }),
        version,
        updated_at: sql`now()`,
      })
      .where('id', '=', facilityId)
      .execute();
    return { result: { ...next, version }, audit: { facilityId, detail: { fields } } };
  });
}

/** To a stranger the facility does not exist (404); a member without the right is refused (403). */
export function mayManage(actor: Actor, facilityId: string): void {
  authorizeToKnow(actor, seeFacility, { facilityId });
  authorize(actor, manageFacility, { facilityId });
}

/** The contract leaves some out, for clients of other builds. */
type SettingsRow = { [Field in keyof FacilitySettings]-?: Exclude<FacilitySettings[Field], undefined> };

const settingsRow = typedRows<SettingsRow>({
  id: 'string',
  version: 'number',
  name: 'string',
  code: 'string',
  latitude: 'number?',
  longitude: 'number?',
  holders: 'json',
  member_count: 'number',
  second_factor_from: 'string?',
  without_factor_count: 'number',
  idle_lock_minutes: 'number',
  shows_last_seen: 'boolean',
  own_texts_in_copies: 'boolean',
  shift_starts: 'array',
});

export async function findSettings(db: Database | DatabaseTransaction, facilityId: string): Promise<FacilitySettings> {
  const found = await settingsRow.first(
    db,
    sql`
    with people as (
      select m.id, m.user_id from memberships m join users u on u.id = m.user_id
      where m.facility_id = ${facilityId} and m.ended_at is null and u.disabled_at is null
    ), held as (
      select p.permission, count(distinct mr.membership_id)::integer as n
      from people join membership_roles mr on mr.membership_id = people.id join roles r on r.id = mr.role_id
      cross join lateral unnest(r.permissions) as p(permission) group by p.permission
    )
    select f.id, f.version, f.name, f.code, f.latitude, f.longitude,
      (select coalesce(json_object_agg(permission, n), '{}') from held) as holders,
      (select count(*)::integer from people) as member_count,
      f.second_factor_from, f.idle_lock_minutes, f.shows_last_seen, f.own_texts_in_copies, f.shift_starts,
      (select count(*)::integer from people p
        where not exists (select from totp_factors t where t.user_id = p.user_id and t.confirmed_at is not null)
          and not exists (select from passkeys k where k.user_id = p.user_id)) as without_factor_count
    from facilities f where f.id = ${facilityId}`,
  );
  if (!found) throw new AppError('not_found');
  return found;
}
