import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { type Action, authorize, can } from '#/platform/http/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { type ChatRecord, findChatRecord } from './chat-queries.ts';
import { type ChatContext, readChat, seeChatsOf } from './policy.ts';

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

export function requireReadable<Options extends ChatContext>(actor: Actor, chat: Options | null): Options {
  if (chat === null || !can(actor, readChat, chat)) throw new AppError('not_found');
  return chat;
}

/** A facility that is not the actor's does not exist for him. */
export function requireFacility(actor: Actor, facilityId: string): void {
  if (!can(actor, seeChatsOf, { facilityId })) throw new AppError('not_found');
}
