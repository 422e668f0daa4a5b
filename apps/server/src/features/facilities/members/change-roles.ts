import type { AuditAction } from '@wardline/contract/audit-actions.ts';
import { userChannel } from '@wardline/contract/chat/chat.ts';
import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type * as contract from '@wardline/contract/facilities/facility-settings.ts';
import { canGrant } from '@wardline/contract/permissions.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorize, authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import type { FacilityPerson } from '#/platform/http/authorization/find-permissions.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { publication } from '#/platform/http/publish.ts';
import { manageRoles, seeFacility } from '../core/policy.ts';
import { findRole, lockAndFindOwn, mustKeepSomebodyInCharge } from '../core/role-queries.ts';
import { membersOf, toMember } from './list-members.ts';
import type { RemoveMemberDeps } from './remove-member.ts';

type Endpoint = typeof contract.giveRole | typeof contract.takeRole;
type Verb = (
  ctx: Pick<RequestContext, 'actor' | 'write'>,
  input: { params: ParamsOf<Endpoint> },
) => Promise<ReplyOf<Endpoint>>;

/** Gives a member one more role; a repeat changes nothing. */
export function giveRole(deps: RemoveMemberDeps): Verb {
  return changeRoles(deps, 'member.give_role', async (tx, { membershipId, roleId, facilityId }) => {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('membership_roles')
      .values({ membership_id: membershipId, role_id: roleId, facility_id: facilityId })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  });
}

/** Takes a role from a member, and with it at once what it allowed; a repeat changes nothing. */
export function takeRole(deps: RemoveMemberDeps): Verb {
  return changeRoles(deps, 'member.take_role', async (tx, { membershipId, roleId, facilityId }) => {
    const { numDeletedRows } = await tx
      .deleteFrom('membership_roles')
      .where('membership_id', '=', membershipId)
      .where('role_id', '=', roleId)
      .executeTakeFirst();
    await mustKeepSomebodyInCharge(tx, facilityId);
    return numDeletedRows > 0n;
  });
}

interface Change {
  readonly facilityId: string;
  readonly membershipId: string;
  readonly roleId: string;
}

/**
 * The frame of both: one transaction at a time for a facility, rights read under its lock, and only roles that one could
 * grant. Taking asks the same as giving: nobody decides about who may do more than they may.
 */
function changeRoles(
  { rightsChanged }: RemoveMemberDeps,
  name: AuditAction,
  change: (tx: DatabaseTransaction, what: Change) => Promise<boolean>,
): Verb {
  return async ({ actor, write }, { params }) => {
    const { facility: facilityId, user: userId, role: roleId } = params;
    authorizeToKnow(actor, seeFacility, { facilityId });
    authorize(actor, manageRoles, { facilityId });
    return write(name, async (tx) => {
      const own = await lockAndFindOwn(tx, { facilityId, userId: actor.userId });
      const role = await findRole(tx, { facilityId, roleId });
      const membershipId = await findMembership(tx, { facilityId, userId });
      if (!role || membershipId === null) throw new AppError('not_found');
      if (!canGrant(own, role.permissions)) {
        throw invalidField('role', `You can’t give or take ${role.name}: it has permissions you don’t have.`);
      }
      const hasChanged = await change(tx, { facilityId, membershipId, roleId });
      const row = await membersOf(tx, facilityId).where('m.user_id', '=', userId).executeTakeFirst();
      if (!row) throw new AppError('not_found');
      const result = toMember(actor, facilityId, row);
      if (!hasChanged) return { result, audit: null };
      const changed = { facility_id: facilityId, chat_id: null, change: 'changed' } as const;
      return {
        result,
        audit: { facilityId, objectType: 'user', objectId: userId, detail: { role_id: roleId } },
        publish: [publication(userChannel, userId, ['MembershipChanged', changed])],
        afterCommit: () => rightsChanged(userId),
      };
    });
  };
}

async function findMembership(tx: DatabaseTransaction, { facilityId, userId }: FacilityPerson): Promise<string | null> {
  const found = await tx
    .selectFrom('memberships')
    .select('id')
    .where('facility_id', '=', facilityId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return found?.id ?? null;
}
