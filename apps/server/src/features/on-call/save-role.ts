import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type * as contract from '@wardline/contract/facilities/on-call.ts';
import { MOST_ON_CALL_ROLES } from '@wardline/contract/facilities/on-call.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { newId } from '#/platform/new-id.ts';
import { manageOnCall } from './policy.ts';
import { aboutRole, loadRole, lockRole, onCallChanged, requireMember } from './queries.ts';

type Context = Pick<RequestContext, 'actor' | 'write'>;

export async function createOnCallRole(
  { actor, write }: Context,
  { params, body }: Pick<InputOf<typeof contract.createOnCallRole>, 'params' | 'body'>,
): Promise<ReplyOf<typeof contract.createOnCallRole>> {
  const place = { facilityId: params.facility, roleId: newId() };
  requireMember(actor, place.facilityId);
  authorize(actor, manageOnCall, place);
  return write('on_call.role.create', async (tx) => {
    const names = await lockNames(tx, place.facilityId);
    await authorizeNow(tx, actor, manageOnCall, place);
    if (names.size >= MOST_ON_CALL_ROLES)
      throw invalidField('name', `A facility has at most ${MOST_ON_CALL_ROLES} roles.`);
    guardName(names, place.roleId, body.name);
    await guardUnit(tx, place.facilityId, body.unit_id);
    const { name, unit_id = null, phone = null } = body;
    await tx
      .insertInto('on_call_roles')
      .values({ id: place.roleId, facility_id: place.facilityId, name, unit_id, phone })
      .execute();
    return {
      result: await loadRole(tx, { actor, ...place }),
      audit: aboutRole(place),
      publish: [onCallChanged(place)],
    };
  });
}

export async function updateOnCallRole(
  { actor, write }: Context,
  { params, body }: Pick<InputOf<typeof contract.updateOnCallRole>, 'params' | 'body'>,
): Promise<ReplyOf<typeof contract.updateOnCallRole>> {
  const place = { facilityId: params.facility, roleId: params.role };
  requireMember(actor, place.facilityId);
  authorize(actor, manageOnCall, place);
  return write('on_call.role.update', async (tx) => {
    const names = await lockNames(tx, place.facilityId);
    const { version, now } = await lockRole(tx, place);
    await authorizeNow(tx, actor, manageOnCall, place);
    const { expected_version, ...change } = body;
    if (version !== expected_version) throw new AppError('conflict');
    if (change.name !== undefined) guardName(names, place.roleId, change.name);
    await guardUnit(tx, place.facilityId, change.unit_id);
    const set = { ...change, version: version + 1, updated_at: sql<Date>`now()` };
    await tx.updateTable('on_call_roles').set(set).where('id', '=', place.roleId).execute();
    return {
      result: await loadRole(tx, { actor, ...place, at: now }),
      audit: aboutRole(place, { changed: Object.keys(change), version: version + 1 }),
      publish: [onCallChanged(place)],
    };
  });
}

/** Nobody holds it from now on, and nothing is planned; its name is free again. */
export async function retireOnCallRole(
  { actor, write }: Context,
  { params }: Pick<InputOf<typeof contract.retireOnCallRole>, 'params'>,
): Promise<undefined> {
  const place = { facilityId: params.facility, roleId: params.role };
  requireMember(actor, place.facilityId);
  authorize(actor, manageOnCall, place);
  await write('on_call.role.retire', async (tx) => {
    const { now } = await lockRole(tx, place);
    await authorizeNow(tx, actor, manageOnCall, place);
    await tx.deleteFrom('on_call_shifts').where('role_id', '=', place.roleId).where('starts_at', '>=', now).execute();
    await tx
      .updateTable('on_call_shifts')
      .set({ ends_at: now })
      .where('role_id', '=', place.roleId)
      .where('ends_at', '>', now)
      .execute();
    await tx.updateTable('on_call_roles').set({ retired_at: now }).where('id', '=', place.roleId).execute();
    return { result: undefined, audit: aboutRole(place), publish: [onCallChanged(place)] };
  });
}

/** The names in use, by role; no other transaction gives one until this one ends. */
async function lockNames(tx: DatabaseTransaction, facilityId: string): Promise<ReadonlyMap<string, string>> {
  await tx.selectFrom('facilities').select('id').where('id', '=', facilityId).forNoKeyUpdate().execute();
  const rows = await tx
    .selectFrom('on_call_roles')
    .select(['id', sql<string>`lower(name)`.as('name')])
    .where('facility_id', '=', facilityId)
    .where('retired_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function guardName(names: ReadonlyMap<string, string>, roleId: string, name: string): void {
  const isTaken = [...names].some(([id, taken]) => id !== roleId && taken === name.toLowerCase());
  if (isTaken) throw invalidField('name', 'There is an on-call role of this name already.');
}

async function guardUnit(tx: DatabaseTransaction, facilityId: string, unitId: string | null | undefined) {
  if (unitId === null || unitId === undefined) return;
  const units = tx.selectFrom('units').select('id').where('id', '=', unitId).where('facility_id', '=', facilityId);
  if (!(await units.executeTakeFirst())) throw invalidField('unit_id', 'This facility has no such unit.');
}
