import { userChannel } from '@wardline/contract/chat/chat.ts';
import type { Change, Transaction } from '#/platform/http/context.ts';
import { publication } from '#/platform/http/publish.ts';
import type { RemoveMemberDeps } from './remove-member.ts';

/** What a facility shows has changed for all its members: their devices are told, and every right is asked for again at once. */
export async function membersChanged(
  tx: Transaction,
  { facilityId, rightsChanged }: Pick<RemoveMemberDeps, 'rightsChanged'> & { readonly facilityId: string },
): Promise<Pick<Change<unknown>, 'publishToAll' | 'afterCommit'>> {
  const members = await tx
    .selectFrom('memberships')
    .select('user_id')
    .where('facility_id', '=', facilityId)
    .where('ended_at', 'is', null)
    .orderBy('user_id')
    .execute();
  const told = members.map(({ user_id }) => user_id);
  const changed = { facility_id: facilityId, chat_id: null, change: 'changed' } as const;
  return {
    publishToAll: told.map((userId) => publication(userChannel, userId, ['MembershipChanged', changed])),
    afterCommit: async () => {
      await Promise.all(told.map(rightsChanged));
    },
  };
}
