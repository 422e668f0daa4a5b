import { userChannel } from '@wardline/contract/chat/chat.ts';
import type { BodyOf, ParamsOf } from '@wardline/contract/endpoint.ts';
import type { deleteRole as endpoint } from '@wardline/contract/facilities/facility-settings.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { publication } from '#/platform/http/publish.ts';
import { findRole, lockAndFindOwn, mustKeepSomebodyInCharge } from '../core/role-queries.ts';
import type { RemoveMemberDeps } from '../members/remove-member.ts';
import { findHoldersOf, mayManageRoles, mustBeGrantable } from './save-role.ts';

const NOBODY_LEFT = 'Nobody could manage the members any more. Choose a role for its holders that can.';

/**
 * Removes a role and gives its holders another, or none. Invitations lose it, and one that is left without a role is revoked: it would
 * let somebody in to see nothing. Both roles one could grant oneself, and somebody can still manage the members afterwards.
 */
export function deleteRole({ rightsChanged }: RemoveMemberDeps) {
  return async (
    { actor, write }: Pick<RequestContext, 'actor' | 'write'>,
    { params, body }: { params: ParamsOf<typeof endpoint>; body: BodyOf<typeof endpoint> },
  ): Promise<undefined> => {
    const { facility: facilityId, role: roleId } = params;
    const { replacement: replacementId } = body;
    mayManageRoles(actor, facilityId);
    await write('role.delete', async (tx) => {
      const own = await lockAndFindOwn(tx, { facilityId, userId: actor.userId });
      const invitationIds = await lockUses(tx, roleId);
      const standing = await findRole(tx, { facilityId, roleId });
      if (!standing) throw new AppError('not_found');
      mustBeGrantable(own, standing.permissions);
      if (replacementId !== null) await mustReplace(tx, { facilityId, roleId, replacementId, own });
      const holders = await findHoldersOf(tx, roleId);
      const revoked = await takeFromInvitations(tx, { roleId, invitationIds });
      await moveHolders(tx, { roleId, replacementId });
      await tx.deleteFrom('roles').where('id', '=', roleId).execute();
      await mustKeepSomebodyInCharge(tx, facilityId, NOBODY_LEFT);
      const changed = { facility_id: facilityId, chat_id: null, change: 'changed' } as const;
      const detail = { before: [...standing.permissions].sort(), role_id: replacementId, holders: holders.length };
      return {
        result: undefined,
        audit: {
          ...{ facilityId, objectType: 'role', objectId: roleId },
          detail: { ...detail, invitations: invitationIds.length, revoked },
        },
        publish: holders.map((userId) => publication(userChannel, userId, ['MembershipChanged', changed])),
        afterCommit: async () => void (await Promise.all(holders.map((userId) => rightsChanged(userId)))),
      };
    });
  };
}

interface Replacement {
  readonly facilityId: string;
  readonly roleId: string;
  readonly replacementId: string;
  readonly own: readonly string[];
}

async function mustReplace(tx: DatabaseTransaction, { facilityId, roleId, replacementId, own }: Replacement) {
  const role = replacementId === roleId ? undefined : await findRole(tx, { facilityId, roleId: replacementId });
  if (!role) throw invalidField('replacement', 'This role is not one of the facility.');
  mustBeGrantable(own, role.permissions, 'replacement');
}

/** Nobody joins by it, and nobody else gives it, until this is done. Returns the invitations that name it. */
async function lockUses(tx: DatabaseTransaction, roleId: string): Promise<string[]> {
  const named = tx.selectFrom('invitation_roles').select('invitation_id').where('role_id', '=', roleId);
  const held = tx.selectFrom('invitations').select('id').where('id', 'in', named).orderBy('id').forUpdate();
  await held.execute();
  await tx.selectFrom('roles').select('id').where('id', '=', roleId).forUpdate().execute();
  // Also one that was made while the role was waited for.
  return (await named.execute()).map(({ invitation_id }) => invitation_id);
}

/** Returns how many of them are revoked, since nothing is left that they give. */
async function takeFromInvitations(
  tx: DatabaseTransaction,
  { roleId, invitationIds }: { readonly roleId: string; readonly invitationIds: readonly string[] },
): Promise<number> {
  if (invitationIds.length === 0) return 0;
  await tx.deleteFrom('invitation_roles').where('role_id', '=', roleId).execute();
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set({ revoked_at: sql`now()` })
    .where('id', 'in', invitationIds)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('invitation_roles as ir').whereRef('ir.invitation_id', '=', 'invitations.id'))),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

async function moveHolders(
  tx: DatabaseTransaction,
  { roleId, replacementId }: { readonly roleId: string; readonly replacementId: string | null },
): Promise<void> {
  if (replacementId !== null) {
    await sql`
      insert into membership_roles (membership_id, role_id, facility_id)
      select mr.membership_id, ${replacementId}, mr.facility_id
      from membership_roles mr join memberships m on m.id = mr.membership_id and m.ended_at is null
      where mr.role_id = ${roleId} on conflict do nothing`.execute(tx);
  }
  await tx.deleteFrom('membership_roles').where('role_id', '=', roleId).execute();
}
