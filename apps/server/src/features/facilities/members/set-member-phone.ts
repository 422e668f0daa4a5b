import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { setMemberPhone as endpoint } from '@wardline/contract/facilities/members.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize, authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { seeFacility, setPhone } from '../core/policy.ts';
import { lockAndFindOwn } from '../core/role-queries.ts';
import { membersOf, toMember } from './list-members.ts';

/** The number under which somebody is reached in a facility; null takes it away. */
export async function setMemberPhone(
  { actor, write }: Pick<RequestContext, 'actor' | 'write'>,
  { params, body }: Pick<InputOf<typeof endpoint>, 'params' | 'body'>,
): Promise<ReplyOf<typeof endpoint>> {
  const { facility: facilityId, user: userId } = params;
  authorizeToKnow(actor, seeFacility, { facilityId });
  authorize(actor, setPhone, { facilityId, userId });
  return write('member.set_phone', async (tx) => {
    if (userId !== actor.userId) await lockAndFindOwn(tx, { facilityId, userId: actor.userId });
    await tx
      .updateTable('memberships')
      .set({ phone: body.phone })
      .where('facility_id', '=', facilityId)
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null)
      .execute();
    const row = await membersOf(tx, facilityId).where('m.user_id', '=', userId).executeTakeFirst();
    if (!row) throw new AppError('not_found');
    return {
      result: toMember(actor, facilityId, row),
      audit: { facilityId, objectType: 'user', objectId: userId, detail: { has_phone: body.phone !== null } },
    };
  });
}
