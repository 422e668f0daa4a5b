import type * as contract from '@wardline/contract/chat/chat-changes.ts';
import { PINS_MAX } from '@wardline/contract/chat/chat-changes.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { chatChanged, messageChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { countPins, loadChatChange, lockChat } from '#/features/chat/core/chat-queries.ts';
import { findMessage, storeMessageChange } from '#/features/chat/core/message-queries.ts';
import { pinMessage } from '#/features/chat/core/policy.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { appendLines } from './system-lines.ts';

type Endpoint = typeof contract.setPin;

/** Keeps a message at hand for all in the chat, or lets it go; a pin is a line in the chat, letting go is not. */
export async function setPin(
  { actor, db, write }: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { chat: chatId, message: messageId } = params;
  const { is_pinned } = body;
  const question = { actor, chatId };
  await requireChat(db, question, pinMessage);
  return write('chat.message.pin', async (tx) => {
    await lockChat(tx, chatId);
    const { facilityId } = await requireChat(tx, question, pinMessage);
    const message = await findMessage(tx, { chatId, userId: actor.userId, messageId });
    if (message === null) throw new AppError('not_found');
    if (message.kind !== 'text') throw invalidField('message', 'Only what somebody wrote can be pinned.');
    if (message.deleted) throw new AppError('conflict', { message: 'This message was deleted.' });
    // Also where another was faster with the same.
    if ((message.pinned !== undefined) === is_pinned) return { result: message, audit: null };
    if (!(await countPins(tx, chatId, is_pinned ? 1 : -1))) {
      const sentence = `This chat has ${PINS_MAX} pinned messages, and can’t have more. Unpin another one first.`;
      throw new AppError('conflict', { message: sentence });
    }
    const pinned = { at: new Date().toISOString(), user_id: actor.userId, name: actor.name };
    const value = is_pinned ? JSON.stringify(pinned) : null;
    const result = await storeMessageChange(tx, messageId, sql`pinned = ${value}::jsonb`);
    const lines = await appendLines(tx, { actor, chatId, facilityId }, is_pinned ? ['pinned a message'] : []);
    return {
      result,
      audit: {
        ...{ facilityId, objectType: 'message', objectId: messageId },
        detail: { chat: chatId, seq: message.seq, is_pinned },
      },
      publish: await messageChanged(tx, 'MessagePinned', result),
      // Who pinned it knows from the answer neither the line nor how many there are now.
      publishToAll: [...lines.flatMap(messageSent), ...chatChanged(await loadChatChange(tx, chatId))],
    };
  });
}
