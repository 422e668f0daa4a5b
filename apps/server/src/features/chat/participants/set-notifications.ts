import type * as contract from '@wardline/contract/chat/chat-management.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { membershipChanged } from '#/features/chat/core/chat-events.ts';
import { inUtc } from '#/features/chat/core/in-utc.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.setNotifications;

/** One's own choice: no line in the chat, and told to nobody but one's other devices. */
export async function setNotifications(
  { actor, db, write }: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { facilityId } = await requireChat(db, { actor, chatId: params.chat });
  const { notify, sound } = body;
  const muted_until = inUtc(body.muted_until);
  return write('chat.notifications.set', async (tx) => {
    const stored = await tx
      .updateTable('chat_participants')
      .set({ notify, muted_until, sound })
      .where('chat_id', '=', params.chat)
      .where('user_id', '=', actor.userId)
      .where('left_at', 'is', null)
      .returning(['muted_until', 'sound'])
      .executeTakeFirst();
    if (!stored) throw new AppError('not_found');
    const change = { facility_id: facilityId, chat_id: params.chat, change: 'changed' } as const;
    return {
      result: { notify, muted_until: stored.muted_until?.toISOString() ?? null, sound: stored.sound },
      audit: {
        facilityId,
        objectType: 'chat',
        objectId: params.chat,
        detail: { notify, until: muted_until, sound: stored.sound },
      },
      publish: [membershipChanged(actor.userId, change)],
    };
  });
}
