import type * as contract from '@wardline/contract/chat.ts';
import type { ParticipantAccess } from '@wardline/contract/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { chatChanged, membershipChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { loadChatChange, lockChat } from '#/features/chat/core/chat-queries.ts';
import { findParticipant, holdMembers } from '#/features/chat/core/participant-queries.ts';
import { manageChat } from '#/features/chat/core/policy.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import { appendLines } from '#/features/chat/messages/system-lines.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.addParticipant;

/** Adds a member of the facility, or gives a participant another access; without `access` a newcomer may write. */
export async function addParticipant(
  { actor, db, write }: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { chat: chatId, user: userId } = params;
  const { facilityId } = await requireChat(db, { actor, chatId }, manageChat);
  return write('chat.participant.add', async (tx) => {
    const members = await holdMembers(tx, facilityId, [userId]);
    await lockChat(tx, chatId);
    await requireChat(tx, { actor, chatId }, manageChat);
    if (!members.has(userId)) throw new AppError('not_found');
    const before = await findParticipant(tx, chatId, userId);
    const access = body.access ?? before?.access ?? 'write';
    if (before?.access === access) return { result: before, audit: null };
    await upsertParticipant(tx, { chatId, facilityId, userId, access });
    const result = await findParticipant(tx, chatId, userId);
    if (result === null) throw new AppError('not_found');
    const line = before ? `gave ${result.name} ${access} access` : `added ${result.name}`;
    const lines = await appendLines(tx, { actor, chatId, facilityId }, [line]);
    const change = before ? 'changed' : 'added';
    return {
      result,
      audit: { facilityId, objectType: 'chat', objectId: chatId, detail: { user: userId, access, change } },
      publish: [
        membershipChanged(userId, { facility_id: facilityId, chat_id: chatId, change }),
        ...lines.flatMap(messageSent),
        ...chatChanged(await loadChatChange(tx, chatId)),
      ],
    };
  });
}

/** Puts a person in, back in, or under another access. Who comes back finds the old markers: they only rise. */
async function upsertParticipant(
  tx: DatabaseTransaction,
  person: { chatId: string; facilityId: string; userId: string; access: ParticipantAccess },
): Promise<void> {
  const { chatId, facilityId, userId, access } = person;
  await tx
    .insertInto('chat_participants')
    .values({ chat_id: chatId, user_id: userId, facility_id: facilityId, access })
    .onConflict((conflict) => conflict.columns(['chat_id', 'user_id']).doUpdateSet({ access, left_at: null }))
    .execute();
}
