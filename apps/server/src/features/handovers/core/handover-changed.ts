import { chatChannel, privateChatChannel, userChannel } from '@wardline/contract/chat/chat.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { type Publication, publication } from '#/platform/http/publish.ts';
import type { HandoverRecord } from './handover-queries.ts';

/** To all who have the chat open, and to everybody in it, whose hand-over lists it stands on: ids alone, who shows it asks again. */
export async function handoverChanged(tx: Transaction, { summary }: HandoverRecord): Promise<Publication[]> {
  const { id: handover_id, chat_id, facility_id: facilityId, version } = summary;
  const event = { chat_id, handover_id, version };
  const people = await tx
    .selectFrom('active_participants')
    .select('user_id')
    .where('chat_id', '=', chat_id)
    .$narrowType<{ user_id: string }>()
    .execute();
  return [
    ...[chatChannel, privateChatChannel].map((channel) => publication(channel, chat_id, ['HandoverChanged', event])),
    ...people.map(({ user_id }) => ({
      ...publication(userChannel, user_id, ['HandoverChanged', event]),
      facilityId,
    })),
  ];
}
