import type * as contract from '@wardline/contract/chat.ts';
import { sql } from 'kysely';
import { chatChanged, membershipChanged } from '#/features/chat/core/chat-events.ts';
import { loadChatChange, lockChat } from '#/features/chat/core/chat-queries.ts';
import { findParticipant } from '#/features/chat/core/participant-queries.ts';
import { removeFromChat } from '#/features/chat/core/policy.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import { appendLines } from '#/features/chat/messages/system-lines.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.removeParticipant;

export interface RemoveParticipantDeps {
  /** Makes what ended hold at once: forgets the identity in this process and asks again for its channels. */
  readonly rightsChanged: (userId: string) => void | Promise<void>;
}

export function removeParticipant({ rightsChanged }: RemoveParticipantDeps) {
  return async ({ actor, db, write }: RequestContext, { params }: InputOf<Endpoint>): Promise<undefined> => {
    const { chat: chatId, user: userId } = params;
    authorize(actor, removeFromChat, { chat: await requireChat(db, { actor, chatId }), userId });
    return write('chat.participant.remove', async (tx) => {
      await lockChat(tx, chatId);
      const chat = await requireChat(tx, { actor, chatId });
      authorize(actor, removeFromChat, { chat, userId });
      const person = await findParticipant(tx, chatId, userId);
      if (person === null || !(await endParticipation(tx, chatId, userId))) throw new AppError('not_found');
      const { facilityId } = chat;
      const line = userId === actor.userId ? 'left the chat' : `removed ${person.name}`;
      await appendLines(tx, { actor, chatId, facilityId }, [line]);
      return {
        result: undefined,
        audit: { facilityId, objectType: 'chat', objectId: chatId, detail: { user: userId } },
        // No MessageSent: the one removed still hears the chat's channel until the recheck. The others see the new
        // head_seq on their own channels and fetch the line.
        publish: [
          membershipChanged(userId, { facility_id: facilityId, chat_id: chatId, change: 'removed' }),
          ...chatChanged(await loadChatChange(tx, chatId)),
        ],
        afterCommit: () => rightsChanged(userId),
      };
    });
  };
}

/** False when the person was not in the chat. */
async function endParticipation(tx: DatabaseTransaction, chatId: string, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('chat_participants')
    .set({ left_at: sql`now()` })
    .where('chat_id', '=', chatId)
    .where('user_id', '=', userId)
    .where('left_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
