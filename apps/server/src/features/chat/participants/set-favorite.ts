import type * as contract from '@wardline/contract/chat/chat-management.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { membershipChanged } from '#/features/chat/core/chat-events.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.setFavorite;

/** One's own mark: no line in the chat, and told to nobody but one's other devices. */
export async function setFavorite(
  { actor, db, write }: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { facilityId } = await requireChat(db, { actor, chatId: params.chat });
  const { is_favorite } = body;
  return write('chat.favorite.set', async (tx) => {
    const stored = await tx
      .updateTable('chat_participants')
      .set({ is_favorite })
      .where('chat_id', '=', params.chat)
      .where('user_id', '=', actor.userId)
      .where('left_at', 'is', null)
      .executeTakeFirst();
    if (stored.numUpdatedRows === 0n) throw new AppError('not_found');
    return {
      result: { is_favorite },
      audit: { facilityId, objectType: 'chat', objectId: params.chat, detail: { is_favorite } },
      publish: [membershipChanged(actor.userId, { facility_id: facilityId, chat_id: params.chat, change: 'changed' })],
    };
  });
}
