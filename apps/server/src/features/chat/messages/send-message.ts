import type * as contract from '@wardline/contract/chat/chat.ts';
import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { CitationDeps } from '#/features/chat/citations/citation-deps.ts';
import { storeCitations, tellCited } from '#/features/chat/citations/store-citations.ts';
import { chatChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { loadChatChange } from '#/features/chat/core/chat-queries.ts';
import { inUtc } from '#/features/chat/core/in-utc.ts';
import { assertSameMessage, findOwnMessage } from '#/features/chat/core/message-queries.ts';
import { mentionAll, writeMessage } from '#/features/chat/core/policy.ts';
import { requireChat, requireReadable } from '#/features/chat/core/require-chat.ts';
import { prepareUrgent, startUrgent } from '#/features/chat/urgent/start-urgent.ts';
import type { RingDeps } from '#/features/chat/urgent/who-to-call.ts';
import { type Actor, closedFacilities } from '#/platform/http/actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { Change, RequestContext, Transaction } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { type Draft, type MessageGroup, type SentMessage, storeMessage } from './message-group.ts';

type Endpoint = typeof contract.sendMessage;
type Message = ReplyOf<Endpoint>;

export interface SendMessageDeps extends RingDeps, CitationDeps {
  /** Sends of a chat that arrive together are stored together. */
  readonly group: MessageGroup;
}

export function sendMessage({ group, ...deps }: SendMessageDeps) {
  return async ({ actor, db, write }: RequestContext, { params, body }: InputOf<Endpoint>): Promise<Message> => {
    const draft = draftOf(actor, params.chat, body);
    // The function that stores knows members and participants only.
    if (closedFacilities(actor).length > 0) await requireChat(db, { actor, chatId: draft.chatId }, writeMessage);
    const urgent = body.urgent ?? null;
    const cites = requireCitedOnce(body.cites);
    const goesAlone = urgent !== null || cites.length > 0;
    const isToAll = draft.mentions?.some(({ kind }) => kind === 'all') ?? false;
    if (goesAlone || isToAll) {
      const stored = await findOwnMessage(db, draft);
      if (stored !== null) return assertSameMessage(stored, { ...draft, urgent, cites });
      await requireChat(db, { actor, chatId: draft.chatId }, isToAll ? mentionAll : writeMessage);
    }
    if (goesAlone) return write('chat.message.send', (tx) => sendAlone(tx, { actor, draft, urgent, cites, ...deps }));
    // send_messages(…), apps/server/db/functions/chat/messages/send_messages.sql, stores only what `writeMessage` allows.
    const sent = await write.together('chat.message.send', {
      ...{ group, key: draft.chatId, item: draft, objectType: 'message' },
      done(found) {
        if (found?.outcome === 'stored') return tellOfStored(found);
        const refused = requireReadable(actor, found);
        if (refused.outcome === 'repeat') return { result: null };
        return refuse(actor, refused);
      },
    });
    if (sent !== null) return sent;
    // Who could write when it was stored is told so however late the repeat comes.
    const stored = await findOwnMessage(db, draft);
    if (stored === null) throw new AppError('not_found');
    return assertSameMessage(stored, { ...draft, urgent });
  };
}

function draftOf(actor: Actor, chatId: string, body: BodyOf<Endpoint>): Draft {
  return {
    ...{ chatId, senderId: actor.userId, clientId: body.client_id, body: body.body, replyTo: body.reply_to ?? null },
    deviceTime: inUtc(body.device_time),
    mentions: requireMentions(body.mentions),
    attachments: requireOnce(body.attachments),
  };
}

/** Why a message was not stored, in words for who sent it. */
export function refuse(actor: Actor, refused: SentMessage): never {
  authorize(actor, writeMessage, refused);
  if (refused.outcome === 'refused') throw new AppError('forbidden');
  if (refused.outcome === 'no_mention_target') {
    throw invalidField('mentions', 'Somebody you mention is no longer in this chat.');
  }
  if (refused.outcome === 'no_attachment') {
    throw invalidField('attachments', 'A file is no longer there. Attach it again.');
  }
  throw invalidField('reply_to', 'This message is not in the chat.');
}

interface Sending extends RingDeps, CitationDeps {
  readonly actor: Actor;
  readonly draft: Draft;
  readonly urgent: contract.AskedUrgent | null;
  readonly cites: readonly contract.CitedFinding[];
}

/** The message with the first step of its ladder and what it cites, or nothing of it. */
async function sendAlone(
  tx: Transaction,
  { actor, draft, urgent, cites, cite, ring }: Sending,
): Promise<Change<Message>> {
  const { chatId } = draft;
  const start = urgent && (await prepareUrgent(tx, { actor, chat: await requireChat(tx, { actor, chatId }), urgent }));
  const stored = requireReadable(actor, await storeMessage(tx, draft));
  if (stored.outcome === 'repeat') {
    const own = await findOwnMessage(tx, draft);
    if (own === null) throw new AppError('not_found');
    return { result: assertSameMessage(own, { ...draft, urgent, cites }), audit: null };
  }
  if (stored.outcome !== 'stored') return refuse(actor, stored);
  const citations = cites.length > 0 ? await cite(tx, { chatId, cites }) : [];
  const sent = citations.length > 0 ? await storeCitations(tx, stored.message, citations) : stored.message;
  const { message, publish, publishToAll } =
    start === null
      ? { message: sent, publish: messageSent(sent), publishToAll: chatChanged(await loadChatChange(tx, chatId)) }
      : await startUrgent(tx, start, { sent, ring });
  const ids = citations.map(({ examination_id }) => examination_id);
  return {
    result: message,
    audit: {
      ...{ facilityId: stored.facilityId, objectType: 'message', objectId: message.id },
      detail: { chat: chatId, seq: message.seq, ...(urgent && { urgent }), ...(cites.length > 0 && { cites }) },
    },
    publish,
    publishToAll: [...publishToAll, ...(await tellCited(tx, chatId, ids))],
  };
}

/** Each once; a person or a role by an id, all without. */
function requireMentions(mentions: BodyOf<Endpoint>['mentions'] = []): Draft['mentions'] {
  if (mentions.some(({ kind, id }) => (kind === 'all') !== (id === null))) {
    throw invalidField('mentions', 'A person or a role is mentioned by an id, all without one.');
  }
  const once = new Map(mentions.map((target) => [target.id, target]));
  return once.size > 0 ? [...once.values()] : null;
}

/** The files of a message, each once; null where there is none. */
export function requireOnce(ids: BodyOf<Endpoint>['attachments'] = []): Draft['attachments'] {
  if (new Set(ids).size < ids.length) throw invalidField('attachments', 'Each file goes with a message once.');
  return ids.length > 0 ? ids : null;
}

function requireCitedOnce(cites: BodyOf<Endpoint>['cites'] = []): readonly contract.CitedFinding[] {
  const names = cites.map(({ examination_id, field }) => `${examination_id} ${field}`);
  if (new Set(names).size < names.length) throw invalidField('cites', 'Each finding is cited once.');
  return cites;
}

function tellOfStored({ message, changes }: SentMessage & { outcome: 'stored' }) {
  const told = messageSent(message);
  if (changes === null) return { result: message, publish: told };
  // Of several at once each sender hears of the others'; of one alone they know from their answer.
  const isAlone = changes.sender_ids?.length === 1;
  if (isAlone) return { result: message, publish: [...told, ...chatChanged(changes)] };
  return { result: message, publish: told, publishToAll: chatChanged(changes) };
}
