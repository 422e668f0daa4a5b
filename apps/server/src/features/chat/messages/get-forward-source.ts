import type * as contract from '@wardline/contract/chat/chat-changes.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { findChatRecord } from '#/features/chat/core/chat-queries.ts';
import { findForwardSource, findMessage } from '#/features/chat/core/message-queries.ts';
import { readChat } from '#/features/chat/core/policy.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.getForwardSource;

/** Told apart from the message, since all in a chat hear the same of it, and not all of them may read where it comes from. */
export async function getForwardSource(
  { actor, db }: RequestContext,
  { params: { chat: chatId, message: messageId } }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { userId } = actor;
  await requireChat(db, { actor, chatId });
  if ((await findMessage(db, { chatId, userId, messageId })) === null) throw new AppError('not_found');
  const source = await findForwardSource(db, messageId);
  const chat = source && (await findChatRecord(db, userId, source.chat_id));
  if (!source || !chat || !can(actor, readChat, chat)) return { source: null };
  const message = await findMessage(db, { chatId: chat.id, userId, messageId: source.message_id });
  if (message === null || message.deleted) return { source: null };
  return { source: { chat_id: chat.id, facility_id: chat.facilityId, seq: message.seq } };
}
