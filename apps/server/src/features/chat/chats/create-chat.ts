import type { Chat, ParticipantAccess } from '@wardline/contract/chat/chat.ts';
import type * as contract from '@wardline/contract/chat/chat-management.ts';
import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { membershipChanged } from '#/features/chat/core/chat-events.ts';
import { findChat, insertChat } from '#/features/chat/core/chat-queries.ts';
import { hashContent } from '#/features/chat/core/content-hash.ts';
import { holdMembers, insertParticipants } from '#/features/chat/core/participant-queries.ts';
import { createChatIn } from '#/features/chat/core/policy.ts';
import { requireFacility } from '#/features/chat/core/require-chat.ts';
import { appendLines } from '#/features/chat/messages/system-lines.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { newId } from '#/platform/new-id.ts';

type Endpoint = typeof contract.createChat;

export async function createChat(
  { actor, write }: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const facilityId = params.facility;
  requireFacility(actor, facilityId);
  authorize(actor, createChatIn, { facilityId, kind: body.kind });
  const { title, patient } = requireSubject(body);
  const others = [...new Set(body.participant_ids)].filter((id) => id !== actor.userId).sort();
  const contentHash = hashContent({ facilityId, kind: body.kind, title, patient, others });
  return write('chat.create', async (tx) => {
    const members = await holdMembers(tx, facilityId, [actor.userId, ...others]);
    if (!members.has(actor.userId)) throw new AppError('not_found');
    await authorizeNow(tx, actor, createChatIn, { facilityId, kind: body.kind });
    const chatId = newId();
    const chat = { id: chatId, facilityId, kind: body.kind, title, patient, contentHash };
    if (!(await insertChat(tx, { ...chat, createdBy: actor.userId, clientId: body.client_id }))) {
      return {
        result: await findRepeated(tx, { userId: actor.userId, clientId: body.client_id, contentHash }),
        audit: null,
      };
    }
    if (!others.every((id) => members.has(id))) {
      throw invalidField('participant_ids', 'Everybody in a chat must be a member of its facility.');
    }
    await insertParticipants(tx, { chatId, facilityId, userIds: [actor.userId], access: 'manage' });
    await insertParticipants(tx, { chatId, facilityId, userIds: others, access: accessIn(body.kind) });
    await appendLines(tx, { actor, chatId, facilityId }, ['created the chat']);
    const result = await findChat(tx, actor.userId, chatId);
    if (result === null) throw new Error('a chat was created and is not there');
    const added = { facility_id: facilityId, chat_id: chatId, change: 'added' } as const;
    return {
      result,
      audit: {
        facilityId,
        objectType: 'chat',
        objectId: chatId,
        detail: { kind: body.kind, people: others.length + 1 },
      },
      publish: [actor.userId, ...others].map((userId) => membershipChanged(userId, added)),
    };
  });
}

/** An announcement is read by those to whom it goes. */
function accessIn(kind: BodyOf<Endpoint>['kind']): ParticipantAccess {
  return kind === 'announcement' ? 'read' : 'write';
}

/** A case is about a patient with two identifiers and is called by the name unless it has a title; others have a title. */
function requireSubject({ kind, title, patient }: BodyOf<Endpoint>): { title: string; patient: Chat['patient'] } {
  if (kind !== 'case') {
    if (title === undefined) throw invalidField('title', 'This field is required.');
    if (patient !== undefined) throw invalidField('patient', 'Only a case is about a patient.');
    return { title, patient: null };
  }
  if (patient === undefined) {
    const required = ['This field is required.'];
    const fields = { 'patient.name': required, 'patient.identifier': required };
    throw new AppError('unprocessable', { message: 'A case needs its patient.', fields });
  }
  const { name, identifier, born_on = null, bed = null } = patient;
  return { title: title ?? name, patient: { name, identifier, born_on, bed } };
}

async function findRepeated(
  tx: Parameters<typeof findCreatedChat>[0],
  { userId, clientId, contentHash }: { userId: string; clientId: string; contentHash: Buffer },
): Promise<Chat> {
  const existing = await findCreatedChat(tx, userId, clientId);
  if (!existing?.content_hash?.equals(contentHash)) throw new AppError('client_id_reused');
  const chat = await findChat(tx, userId, existing.id);
  if (chat === null) throw new AppError('not_found');
  return chat;
}

async function findCreatedChat(tx: DatabaseTransaction, createdBy: string, clientId: string) {
  return tx
    .selectFrom('chats')
    .select(['id', 'content_hash'])
    .where('created_by', '=', createdBy)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
}
