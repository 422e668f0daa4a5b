import type { Message } from '@wardline/contract/chat/chat.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { type Action, authorize, authorizeToKnow, can } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { type ChatRecord, findChatRecord } from './chat-queries.ts';
import { findMessage } from './message-queries.ts';
import { type ChatContext, changeMessage, manageChat, readChat, seeChatsOf } from './policy.ts';

interface Question {
  readonly actor: Actor;
  readonly chatId: string;
}

/** The chat as it is now, for somebody who may do this to it. A stranger learns nothing (404), a participant 403. */
export async function requireChat(
  db: RequestContext['db'],
  { actor, chatId }: Question,
  wanted: Action<ChatRecord> = readChat,
): Promise<ChatRecord> {
  const chat = requireReadable(actor, await findChatRecord(db, actor.userId, chatId));
  authorize(actor, wanted, chat);
  return chat;
}

/** The same under the chat's lock, for who manages it: by their part in it and their roles as they are now. */
export async function requireManaged(tx: DatabaseTransaction, { actor, chatId }: Question): Promise<ChatRecord> {
  const chat = await requireChat(tx, { actor, chatId });
  await authorizeNow(tx, actor, manageChat, chat);
  return chat;
}

/** The same for who reads what was said there: the audit names them, once in a quarter of an hour. */
export async function requireChatToRead(
  { actor, db, noteReads }: Pick<RequestContext, 'actor' | 'db' | 'noteReads'>,
  chatId: string,
): Promise<ChatRecord> {
  const chat = await requireChat(db, { actor, chatId });
  await noteReads('chat.read', [{ facilityId: chat.facilityId, objectType: 'chat', objectId: chatId }]);
  return chat;
}

/** The same question where nobody waits for an answer, as before a push. */
export async function mayRead(db: RequestContext['db'], actor: Actor, chatId: string): Promise<boolean> {
  const chat = await findChatRecord(db, actor.userId, chatId);
  return chat !== null && can(actor, readChat, chat);
}

export function requireReadable<Options extends ChatContext>(actor: Actor, chat: Options | null): Options {
  if (chat === null) throw new AppError('not_found');
  authorizeToKnow(actor, readChat, chat);
  return chat;
}

/** A message of one's own in a chat in which one may write; what the product said in somebody's name is nobody's to change. */
export async function requireOwnMessage(
  db: RequestContext['db'] | DatabaseTransaction,
  { actor, chatId, messageId }: Question & { readonly messageId: string },
): Promise<{ readonly chat: ChatRecord; readonly message: Message }> {
  const chat = await requireChat(db, { actor, chatId });
  const message = await findMessage(db, { chatId, userId: actor.userId, messageId });
  if (message === null) throw new AppError('not_found');
  authorize(actor, changeMessage, { chat, senderId: message.sender.id });
  if (message.kind !== 'text') throw new AppError('forbidden');
  return { chat, message };
}

/** A facility that is not the actor's does not exist for him. */
export function requireFacility(actor: Actor, facilityId: string): void {
  authorizeToKnow(actor, seeChatsOf, { facilityId });
}
