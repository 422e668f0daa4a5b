import type { Message, Reaction } from '@wardline/contract/chat/chat.ts';
import type * as contract from '@wardline/contract/chat/chat-changes.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { messageChanged } from '#/features/chat/core/chat-events.ts';
import { lockChat } from '#/features/chat/core/chat-queries.ts';
import { findMessage, storeMessageChange } from '#/features/chat/core/message-queries.ts';
import { reactToMessage } from '#/features/chat/core/policy.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.setReaction;

/** One tap: each person has each reaction at most once on a message, and a repeat changes nothing. */
export async function setReaction(
  { actor, db, write }: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { chat: chatId, message: messageId, code } = params;
  const question = { actor, chatId };
  await requireChat(db, question, reactToMessage);
  return write('chat.message.react', async (tx) => {
    await lockChat(tx, chatId);
    const chat = await requireChat(tx, question, reactToMessage);
    const message = await findMessage(tx, { chatId, userId: actor.userId, messageId });
    if (message === null) throw new AppError('not_found');
    if (message.kind !== 'text') throw invalidField('message', 'Only what somebody wrote takes reactions.');
    if (message.deleted) throw new AppError('conflict', { message: 'This message was deleted.' });
    const at = new Date().toISOString();
    const reactions = withReaction(message, { code, user_id: actor.userId, name: actor.name, at }, body.is_set);
    if (reactions === null) return { result: message, audit: null };
    const result = await storeMessageChange(tx, messageId, sql`reactions = ${JSON.stringify(reactions)}::jsonb`);
    const detail = { chat: chatId, seq: message.seq, code, is_set: body.is_set };
    return {
      result,
      audit: { facilityId: chat.facilityId, objectType: 'message', objectId: messageId, detail },
      publish: await messageChanged(tx, 'ReactionsChanged', result),
    };
  });
}

/** The reactions of a message with one given or taken back; null where that changes nothing. */
export function withReaction(
  { reactions = [] }: Pick<Message, 'reactions'>,
  reaction: Reaction,
  isSet: boolean,
): Reaction[] | null {
  const others = reactions.filter(({ code, user_id }) => code !== reaction.code || user_id !== reaction.user_id);
  const wasSet = others.length < reactions.length;
  if (wasSet === isSet) return null;
  return isSet ? [...others, reaction] : others;
}
