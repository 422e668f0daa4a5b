import type { Message } from '@wardline/contract/chat/chat.ts';
import type * as contract from '@wardline/contract/chat/chat-changes.ts';
import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { copyFiles } from '#/features/chat/attachments/copy-attachments.ts';
import { chatChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import {
  type ChatRecord,
  findChat,
  findChatRecord,
  loadChatChange,
  lockChat,
} from '#/features/chat/core/chat-queries.ts';
import { inUtc } from '#/features/chat/core/in-utc.ts';
import {
  findMessage,
  findOwnMessage,
  type OwnMessage,
  type StoredForward,
  storeForward,
  storeLastMessage,
  toForwarded,
} from '#/features/chat/core/message-queries.ts';
import { forwardMessage as mayForward, readChat, writeMessage } from '#/features/chat/core/policy.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorize, can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { storeMessage } from './message-group.ts';

type Endpoint = typeof contract.forwardMessage;
type Source = BodyOf<Endpoint>['source'];

/** Says again in another chat what was said in one, as the server has it now: no device is believed about another's words. */
export async function forwardMessage(
  { actor, db, write }: RequestContext,
  { params: { chat: chatId }, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { source, client_id: clientId } = body;
  const draft = { chatId, clientId, senderId: actor.userId };
  const deviceTime = inUtc(body.device_time);
  const stored = await findOwnMessage(db, draft);
  // However late the repeat comes, and whatever has become of the source.
  if (stored !== null) return assertSameForward(stored, source);
  await requireChat(db, { actor, chatId }, writeMessage);
  return write('chat.message.forward', async (tx) => {
    await lockChat(tx, chatId);
    const target = await requireChat(tx, { actor, chatId }, writeMessage);
    const twin = await findOwnMessage(tx, draft);
    if (twin !== null) return { result: assertSameForward(twin, source), audit: null };
    const { message: said, forwarded } = await requireSource(tx, { actor, target, source });
    const attachments = await copyFilesOf(tx, { actor, target, said });
    const text = { body: said.body, replyTo: null, mentions: null, attachments };
    const sent = await storeMessage(tx, { ...draft, ...text, deviceTime });
    if (sent?.outcome !== 'stored') throw new AppError('forbidden');
    await storeForward(tx, sent.message.id, forwarded);
    const result = { ...sent.message, forwarded: toForwarded(forwarded) };
    await storeLastMessage(tx, result);
    const from = { from_chat: source.chat, from_seq: said.seq };
    return {
      result,
      audit: {
        ...{ facilityId: target.facilityId, objectType: 'message', objectId: result.id },
        detail: { chat: chatId, seq: result.seq, ...from },
      },
      publish: [...messageSent(result), ...chatChanged(await loadChatChange(tx, chatId))],
    };
  });
}

function assertSameForward({ message, source }: OwnMessage, asked: Source): Message {
  if (source?.chat_id !== asked.chat || source.message_id !== asked.message) throw new AppError('client_id_reused');
  return message;
}

interface Question {
  readonly actor: Actor;
  readonly target: ChatRecord;
  readonly source: Source;
}

/** What is forwarded, with whom and what it is of. What is not mine to read and what never was are told in the same words. */
async function requireSource(
  tx: DatabaseTransaction,
  { actor, target, source }: Question,
): Promise<{ readonly message: Message; readonly forwarded: StoredForward }> {
  const { userId } = actor;
  const record = await findChatRecord(tx, userId, source.chat);
  const isReadable = record !== null && can(actor, readChat, record);
  const message = isReadable ? await findMessage(tx, { chatId: source.chat, userId, messageId: source.message }) : null;
  if (!isReadable || message === null) throw invalidField('source', 'You can’t read the message to forward any more.');
  if (record.facilityId !== target.facilityId) {
    throw invalidField('source', 'Messages can only be forwarded within one facility.');
  }
  authorize(actor, mayForward, { source: record, target });
  if (message.kind !== 'text') throw invalidField('source', 'Only what somebody wrote can be forwarded.');
  if (message.deleted) throw invalidField('source', 'The message to forward was deleted.');
  const { sender, created_at: sent_at } = message;
  const first = message.forwarded ?? { sender, sent_at, patient: null };
  const patient = first.patient ?? (await findPatient(tx, { userId, chatId: source.chat }));
  return {
    message,
    forwarded: { ...first, patient, source: { chat_id: source.chat, message_id: message.id } },
  };
}

interface Said {
  readonly actor: Actor;
  readonly target: ChatRecord;
  readonly said: Message;
}

async function copyFilesOf(tx: DatabaseTransaction, { actor, target, said }: Said): Promise<string[] | null> {
  if (!said.attachments) return null;
  if (said.attachments.some(({ held }) => held !== undefined)) {
    throw invalidField('source', 'A file of this message is being checked for malware, or was held back.');
  }
  const ids = said.attachments.map(({ id }) => id);
  const to = { chatId: target.id, facilityId: target.facilityId, uploaderId: actor.userId };
  const copies = await copyFiles(tx, { ids, ...to });
  if (copies === null) throw invalidField('source', 'The message to forward was deleted.');
  return copies;
}

/** Whom what is said in a chat is about. The bed says where, and is another's tomorrow. */
async function findPatient(
  tx: DatabaseTransaction,
  { userId, chatId }: { userId: string; chatId: string },
): Promise<StoredForward['patient']> {
  const patient = (await findChat(tx, userId, chatId))?.patient;
  if (!patient) return null;
  const { name, identifier, born_on } = patient;
  return { name, identifier, born_on };
}
