import { userChannel } from '@wardline/contract/chat/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { setMemberTitle as endpoint } from '@wardline/contract/facilities/members.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize, authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import type { FacilityPerson } from '#/platform/http/authorization/find-permissions.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { publication } from '#/platform/http/publish.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { seeFacility, setTitle } from '../core/policy.ts';
import { lockAndFindOwn } from '../core/role-queries.ts';
import { membersOf, toMember } from './list-members.ts';

/** What somebody is in a facility, as colleagues read it beside the name; null takes it away. */
export async function setMemberTitle(
  { actor, write }: Pick<RequestContext, 'actor' | 'write'>,
  { params, body: { title } }: Pick<InputOf<typeof endpoint>, 'params' | 'body'>,
): Promise<ReplyOf<typeof endpoint>> {
  const { facility: facilityId, user: userId } = params;
  authorizeToKnow(actor, seeFacility, { facilityId });
  authorize(actor, setTitle, { facilityId });
  return write('member.set_title', async (tx) => {
    await lockAndFindOwn(tx, { facilityId, userId: actor.userId });
    const member = () => membersOf(tx, facilityId).where('m.user_id', '=', userId).executeTakeFirst();
    const before = await member();
    if (!before) throw new AppError('not_found');
    if (before.title === title) return { result: toMember(actor, facilityId, before), audit: null };
    await storeTitle(tx, { facilityId, userId, title });
    const changed = { facility_id: facilityId, chat_id: null, change: 'changed' } as const;
    return {
      result: toMember(actor, facilityId, { ...before, title }),
      audit: { facilityId, objectType: 'user', objectId: userId, detail: { has_title: title !== null } },
      publish: [publication(userChannel, userId, ['MembershipChanged', changed])],
    };
  });
}

/** Under the lock of the facility's members; changes nothing for who is none. */
export async function storeTitle(
  tx: DatabaseTransaction,
  { facilityId, userId, title }: FacilityPerson & { readonly title: string | null },
): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({ title })
    .where('facility_id', '=', facilityId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .execute();
}
