import { chatChannel, privateChatChannel, userChannel } from '@wardline/contract/chat/chat.ts';
import { type Publication, publication } from '#/platform/http/publish.ts';
import type { HandoverRecord } from './handover-queries.ts';

/** To all who have the chat open, and to both who are in it: ids alone, who shows it asks again. */
export function handoverChanged({ summary, givenBy, toUser }: HandoverRecord): Publication[] {
  const { id: handover_id, chat_id, facility_id: facilityId, version } = summary;
  const event = { chat_id, handover_id, version };
  return [
    ...[chatChannel, privateChatChannel].map((channel) => publication(channel, chat_id, ['HandoverChanged', event])),
    ...[givenBy, toUser].map((userId) => ({
      ...publication(userChannel, userId, ['HandoverChanged', event]),
      facilityId,
    })),
  ];
}
