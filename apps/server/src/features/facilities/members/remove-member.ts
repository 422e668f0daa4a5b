import { userChannel } from '@wardline/contract/chat/chat.ts';
import type { ParamsOf } from '@wardline/contract/endpoint.ts';
import { facilityChannel } from '@wardline/contract/facilities/facilities.ts';
import type { removeMember as endpoint } from '@wardline/contract/facilities/members.ts';
import { canGrant } from '@wardline/contract/permissions.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize, authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import { type FacilityPerson, findGrantedPermissions } from '#/platform/http/authorization/find-permissions.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { type Publication, publication } from '#/platform/http/publish.ts';
import { removeMembers, seeFacility } from '../core/policy.ts';
import { lockAndFindOwn, mustKeepSomebodyInCharge } from '../core/role-queries.ts';

export interface RemoveMemberDeps {
  /** Makes what ended hold at once: forgets the identity in this process and asks again for its channels. */
  readonly rightsChanged: (userId: string) => void | Promise<void>;
}

/** Ends a membership and with it every place in the facility's chats. The last person in charge cannot be removed. */
export function removeMember({ rightsChanged }: RemoveMemberDeps) {
  return async (
    ctx: Pick<RequestContext, 'actor' | 'write'>,
    { params }: { params: ParamsOf<typeof endpoint> },
  ): Promise<undefined> => {
    const { facility: facilityId, user: userId } = params;
    authorizeToKnow(ctx.actor, seeFacility, { facilityId });
    authorize(ctx.actor, removeMembers, { facilityId });
    // Whoever goes themselves is no member at the end of it.
    await asSystem('membership', () =>
      ctx.write('member.remove', async (tx) => {
        await mustBeGrantable(tx, { facilityId, userId: ctx.actor.userId }, userId);
        if (!(await endMembership(tx, { facilityId, userId }))) throw new AppError('not_found');
        await mustKeepSomebodyInCharge(tx, facilityId);
        return {
          result: undefined,
          audit: { facilityId, objectType: 'user', objectId: userId },
          publish: membershipRemoved({ facilityId, userId }),
          afterCommit: () => rightsChanged(userId),
        };
      }),
    );
  };
}

/** For the person's devices, and for whoever sees who is on call. */
export function membershipRemoved({ facilityId, userId }: FacilityPerson): Publication[] {
  const removed = { facility_id: facilityId, chat_id: null, change: 'removed' } as const;
  return [
    publication(userChannel, userId, ['MembershipChanged', removed]),
    publication(facilityChannel, facilityId, ['OnCallChanged', { facility_id: facilityId, role_id: null }]),
  ];
}

/** Who may do more than one could grant is not removed either: nobody rises by taking others away (A30). Anyone may go. */
async function mustBeGrantable(tx: DatabaseTransaction, actor: FacilityPerson, userId: string): Promise<void> {
  const own = await lockAndFindOwn(tx, actor);
  if (userId === actor.userId) return;
  const theirs = await findGrantedPermissions(tx, { ...actor, userId });
  if (canGrant(own, theirs)) return;
  throw new AppError('forbidden', { message: 'You can’t remove someone who has permissions you don’t have.' });
}

/** Ends the membership, and by the database's own triggers every place in the facility's chats and every shift. False when there is none. */
export async function endMembership(
  tx: DatabaseTransaction,
  { facilityId, userId }: { facilityId: string; userId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('memberships')
    .set({ ended_at: sql`now()` })
    .where('facility_id', '=', facilityId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
