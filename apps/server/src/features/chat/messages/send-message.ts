import type * as contract from '@wardline/contract/chat.ts';
import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { chatChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { assertSameMessage, findOwnMessage } from '#/features/chat/core/message-queries.ts';
import { mentionAll, writeMessage } from '#/features/chat/core/policy.ts';
import { requireChat, requireReadable } from '#/features/chat/core/require-chat.ts';
import { storableInstant } from '#/features/chat/core/storable-time.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import type { Draft, MessageGroup, SentMessage } from './message-group.ts';

type Endpoint = typeof contract.sendMessage;
type Message = ReplyOf<Endpoint>;

export interface SendMessageDeps {
  /** Sends of a chat that arrive together are stored together. */
  readonly group: MessageGroup;
}

export function sendMessage({ group }: SendMessageDeps) {
  return async ({ actor, db, write }: RequestContext, { params, body }: InputOf<Endpoint>): Promise<Message> => {
    const draft: Draft = {
      chatId: params.chat,
      senderId: actor.userId,
      clientId: body.client_id,
      body: body.body,
      replyTo: body.reply_to ?? null,
      deviceTime: storableInstant('device_time', body.device_time),
      mentions: requireMentions(body.mentions),
      attachments: requireOnce(body.attachments),
    };
    if (draft.mentions?.some(({ kind }) => kind === 'all')) {
      const stored = await findOwnMessage(db, draft);
      if (stored !== null) return assertSameMessage(stored, draft);
      await requireChat(db, { actor, chatId: draft.chatId }, mentionAll);
    }
    // send_messages(…), apps/server/db/functions/chat/send_messages.sql, stores only what `writeMessage` allows.
    const sent = await write.together('chat.message.send', {
      ...{ group, key: draft.chatId, item: draft, objectType: 'message' },
      done(found) {
        if (found?.outcome === 'stored') return tellOfStored(found);
        const refused = requireReadable(actor, found);
        if (refused.outcome === 'repeat') return { result: null };
        authorize(actor, writeMessage, refused);
        if (refused.outcome === 'refused') throw new AppError('forbidden');
        if (refused.outcome === 'no_mention_target') {
          throw invalidField('mentions', 'Somebody you mention is no longer in this chat.');
        }
        if (refused.outcome === 'no_attachment') {
          throw invalidField('attachments', 'A file is no longer there. Attach it again.');
        }
        throw invalidField('reply_to', 'This message is not in the chat.');
      },
    });
    if (sent !== null) return sent;
    // Who could write when it was stored is told so however late the repeat comes.
    const stored = await findOwnMessage(db, draft);
    if (stored === null) throw new AppError('not_found');
    return assertSameMessage(stored, draft);
  };
}

/** Each once; a person by an id, all without. */
function requireMentions(mentions: BodyOf<Endpoint>['mentions'] = []): Draft['mentions'] {
  if (mentions.some(({ kind, id }) => (kind === 'user') !== (id !== null))) {
    throw invalidField('mentions', 'A person is mentioned by an id, all without one.');
  }
  const once = new Map(mentions.map((target) => [target.id, target]));
  return once.size > 0 ? [...once.values()] : null;
}

function requireOnce(ids: BodyOf<Endpoint>['attachments'] = []): Draft['attachments'] {
  if (new Set(ids).size < ids.length) throw invalidField('attachments', 'Each file goes with a message once.');
  return ids.length > 0 ? ids : null;
}

function tellOfStored({ message, changes }: SentMessage & { outcome: 'stored' }) {
  const told = messageSent(message);
  if (changes === null) return { result: message, publish: told };
  // Of several at once each sender hears of the others'; of one alone they know from their answer.
  const isAlone = changes.sender_ids?.length === 1;
  if (isAlone) return { result: message, publish: [...told, ...chatChanged(changes)] };
  return { result: message, publish: told, publishToAll: chatChanged(changes) };
}
