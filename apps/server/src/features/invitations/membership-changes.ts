import { userChannel } from '@wardline/contract/chat/chat.ts';
import { type Publication, publication } from '#/platform/http/publish.ts';

/** For the person's other tabs: there is a facility more. */
export function membershipAdded(userId: string, facilityId: string): Publication[] {
  const payload = { facility_id: facilityId, chat_id: null, change: 'added' } as const;
  return [publication(userChannel, userId, ['MembershipChanged', payload])];
}
