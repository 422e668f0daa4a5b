import type * as contract from '@wardline/contract/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { chatChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { findChatRecord } from '#/features/chat/core/chat-queries.ts';
import {
  findOwnMessage,
  insertMessageQuery,
  type MessageInput,
  toInsertedMessage,
} from '#/features/chat/core/message-queries.ts';
import { writeMessage } from '#/features/chat/core/policy.ts';
import { requireReadable } from '#/features/chat/core/require-chat.ts';
import { storableInstant } from '#/features/chat/core/storable-time.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorize, can } from '#/platform/http/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.sendMessage;
type Message = ReplyOf<Endpoint>;

export async function sendMessage(
  { actor, db, write }: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<Message> {
  const draft: MessageInput = {
    chatId: params.chat,
    senderId: actor.userId,
    clientId: body.client_id,
    body: body.body,
    replyTo: body.reply_to ?? null,
    deviceTime: storableInstant('device_time', body.device_time),
  };
  const record = requireReadable(actor, await findChatRecord(db, actor.userId, params.chat));
  if (!can(actor, writeMessage, record)) {
    // Who could write when it was stored is told so however late the repeat comes.
    const stored = await findOwnMessage(db, draft);
    if (stored !== null) return assertSameMessage(stored, draft);
    authorize(actor, writeMessage, record);
  }
  const sent = await write.statement('chat.message.send', {
    objectType: 'message',
    // send_message(…): apps/server/db/functions/chat/send_message.sql
    statement: insertMessageQuery(draft),
    done(rows) {
      // Under the chat's lock the statement has looked again: what the rule was told may have changed meanwhile.
      const { outcome, message, changes } = requireReadable(actor, toInsertedMessage(rows[0], draft));
      if (outcome === 'refused') throw new AppError('forbidden');
      if (outcome === 'no_reply_target') throw invalidField('reply_to', 'This message is not in the chat.');
      if (message === null) return { result: null };
      return { result: message, publish: [...messageSent(message), ...chatChanged(changes)] };
    },
  });
  if (sent !== null) return sent;
  const repeated = await findOwnMessage(db, draft);
  if (repeated === null) throw new AppError('not_found');
  return assertSameMessage(repeated, draft);
}

/** The message as it stands, for a repeat of what was sent; another text under its client_id is refused. */
function assertSameMessage(
  { message, sentBody }: NonNullable<Awaited<ReturnType<typeof findOwnMessage>>>,
  { body, replyTo }: MessageInput,
): Message {
  if (sentBody !== body || message.reply_to !== replyTo) throw new AppError('client_id_reused');
  return message;
}
