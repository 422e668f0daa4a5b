import { userChannel } from '@wardline/contract/chat/chat.ts';
import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type * as contract from '@wardline/contract/facilities/facility-settings.ts';
import { MOST_ROLES } from '@wardline/contract/facilities/facility-settings.ts';
import { canGrant } from '@wardline/contract/permissions.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorize, authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { publication } from '#/platform/http/publish.ts';
import { newId } from '#/platform/new-id.ts';
import { manageRoles, seeFacility } from '../core/policy.ts';
import { findRole, lockAndFindOwn, mustKeepSomebodyInCharge } from '../core/role-queries.ts';
import type { RemoveMemberDeps } from '../members/remove-member.ts';

type Context = Pick<RequestContext, 'actor' | 'write'>;
type Create = typeof contract.createRole;
type Update = typeof contract.updateRole;

export async function createRole(
  { actor, write }: Context,
  { params, body }: { params: ParamsOf<Create>; body: BodyOf<Create> },
): Promise<ReplyOf<Create>> {
  const { facility: facilityId } = params;
  mayManageRoles(actor, facilityId);
  return write('role.create', async (tx) => {
    const own = await lockAndFindOwn(tx, { facilityId, userId: actor.userId });
    const permissions = sorted(body.permissions);
    mustBeGrantable(own, permissions);
    await mustBeFree(tx, { facilityId, roleId: null, name: body.name });
    const role = { id: newId(), name: body.name, permissions };
    await tx
      .insertInto('roles')
      .values({ ...role, facility_id: facilityId })
      .execute();
    return { result: role, audit: { facilityId, objectType: 'role', objectId: role.id, detail: { permissions } } };
  });
}

/** Whoever has the role has at once what it then allows. Both what it allowed and what it will one could grant oneself. */
export function updateRole({ rightsChanged }: RemoveMemberDeps) {
  return async (
    { actor, write }: Context,
    { params, body }: { params: ParamsOf<Update>; body: BodyOf<Update> },
  ): Promise<ReplyOf<Update>> => {
    const { facility: facilityId, role: roleId } = params;
    mayManageRoles(actor, facilityId);
    return write('role.update', async (tx) => {
      const own = await lockAndFindOwn(tx, { facilityId, userId: actor.userId });
      const standing = await findRole(tx, { facilityId, roleId });
      if (!standing) throw new AppError('not_found');
      const { name = standing.name, add = [], take = [] } = body;
      const permissions = sorted([...standing.permissions, ...add]).filter(
        (each) => !take.some((gone) => gone === each),
      );
      const before = sorted(standing.permissions);
      const isSame = permissions.join() === before.join();
      const result = { id: roleId, name, permissions };
      if (isSame && name === standing.name) return { result, audit: null };
      mustBeGrantable(own, [...standing.permissions, ...permissions]);
      await mustBeFree(tx, { facilityId, roleId, name });
      await tx.updateTable('roles').set({ name, permissions }).where('id', '=', roleId).execute();
      await mustKeepSomebodyInCharge(tx, facilityId);
      const holders = await findHoldersOf(tx, roleId);
      const changed = { facility_id: facilityId, chat_id: null, change: 'changed' } as const;
      return {
        result,
        audit: { facilityId, objectType: 'role', objectId: roleId, detail: { before, after: permissions } },
        publish: holders.map((userId) => publication(userChannel, userId, ['MembershipChanged', changed])),
        afterCommit: async () => void (await Promise.all(holders.map((userId) => rightsChanged(userId)))),
      };
    });
  };
}

/** To a stranger the facility does not exist (404); a member without the right is refused (403). */
export function mayManageRoles(actor: Actor, facilityId: string): void {
  authorizeToKnow(actor, seeFacility, { facilityId });
  authorize(actor, manageRoles, { facilityId });
}

export function mustBeGrantable(own: readonly string[], permissions: readonly string[], field = 'permissions'): void {
  const beyond = permissions.find((permission) => !canGrant(own, [permission]));
  if (beyond === undefined) return;
  throw invalidField(field, `You can’t give or take ${beyond}: it is a permission you don’t have.`);
}

/** Whatever the case: people would take two of them for one. */
async function mustBeFree(
  tx: DatabaseTransaction,
  { facilityId, roleId, name }: { facilityId: string; roleId: string | null; name: string },
): Promise<void> {
  const roles = await tx.selectFrom('roles').select(['id', 'name']).where('facility_id', '=', facilityId).execute();
  if (roleId === null && roles.length >= MOST_ROLES) {
    throw invalidField('name', `A facility has at most ${MOST_ROLES} roles.`);
  }
  if (roles.some((role) => role.id !== roleId && role.name.toLowerCase() === name.toLowerCase())) {
    throw invalidField('name', 'There is a role of this name already.');
  }
}

/** The members who have a role now. */
export async function findHoldersOf(tx: DatabaseTransaction, roleId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('membership_roles as mr')
    .innerJoin('memberships as m', 'm.id', 'mr.membership_id')
    .select('m.user_id')
    .where('mr.role_id', '=', roleId)
    .where('m.ended_at', 'is', null)
    .execute();
  return rows.map((row) => row.user_id);
}

function sorted(permissions: readonly string[]): string[] {
  return [...new Set(permissions)].sort();
}
