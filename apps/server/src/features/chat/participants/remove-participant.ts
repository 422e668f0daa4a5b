import type { Participant } from '@wardline/contract/chat/chat.ts';
import type * as contract from '@wardline/contract/chat/chat-management.ts';
import { sql } from 'kysely';
import { chatChanged, membershipChanged } from '#/features/chat/core/chat-events.ts';
import { type ChatRecord, loadChatChange, lockChat } from '#/features/chat/core/chat-queries.ts';
import { endOwnParticipation, findParticipant } from '#/features/chat/core/participant-queries.ts';
import { removeFromChat } from '#/features/chat/core/policy.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import { appendLines } from '#/features/chat/messages/system-lines.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { actorNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.removeParticipant;

export interface RemoveParticipantDeps {
  /** Makes what ended hold at once: forgets the identity in this process and asks again for its channels. */
  readonly rightsChanged: (userId: string) => void | Promise<void>;
}

export function removeParticipant({ rightsChanged }: RemoveParticipantDeps) {
  return async ({ actor, db, write }: RequestContext, { params }: InputOf<Endpoint>): Promise<undefined> => {
    const { chat: chatId, user: userId } = params;
    authorize(actor, removeFromChat, { chat: await requireChat(db, { actor, chatId }), userId });
    return write('chat.participant.remove', async (tx) => {
      await lockChat(tx, chatId);
      const chat = await requireChat(tx, { actor, chatId });
      authorize(await actorNow(tx, actor, chat.facilityId), removeFromChat, { chat, userId });
      const person = await findParticipant(tx, chatId, userId);
      if (person === null) throw new AppError('not_found');
      const change = await takeOut(tx, { chatId, person, isMe: userId === actor.userId });
      const { facilityId } = chat;
      const heir = await handOn(tx, chat);
      const line = userId === actor.userId ? 'left the chat' : `removed ${person.name}`;
      await appendLines(tx, { actor, chatId, facilityId }, [
        line,
        ...(heir ? [`gave ${heir.name} manage access`] : []),
      ]);
      return {
        result: undefined,
        audit: {
          facilityId,
          objectType: 'chat',
          objectId: chatId,
          detail: { user: userId, ...(heir && { managed_by: heir.user_id }) },
        },
        // No MessageSent: the one removed still hears the chat's channel until the recheck. The others see the new
        // head_seq on their own channels and fetch the line.
        publish: [
          membershipChanged(userId, { facility_id: facilityId, chat_id: chatId, change }),
          ...(heir
            ? [membershipChanged(heir.user_id, { facility_id: facilityId, chat_id: chatId, change: 'changed' })]
            : []),
          ...chatChanged(await loadChatChange(tx, chatId)),
        ],
        afterCommit: () => rightsChanged(userId),
      };
    });
  };
}

const heirs = typedRows<{ user_id: string | null }>({ user_id: 'string?' });

/**
 * Lets somebody who is left manage a chat that nobody manages any more. An announcement has nobody who could: only who
 * manages it writes there, so its last one first lets another manage it.
 */
async function handOn(tx: DatabaseTransaction, { id, kind }: ChatRecord): Promise<Participant | null> {
  if (kind === 'announcement') await requireManager(tx, id);
  const userId = (await heirs.first(tx, sql`select heir_of_chat(${id}) as user_id`))?.user_id ?? null;
  if (userId === null) return null;
  await tx
    .updateTable('chat_participants')
    // Also by themselves, where a role widens what they see: they go on managing when their shift is over.
    .set({ access: 'manage', own_access: sql`case when own_access is not null then 'manage' end` })
    .where('chat_id', '=', id)
    .where('user_id', '=', userId)
    .execute();
  return findParticipant(tx, id, userId);
}

/** Refuses where somebody is left in an announcement and none of them manages it. */
async function requireManager(tx: DatabaseTransaction, chatId: string): Promise<void> {
  const { participant_ids: left } = await loadChatChange(tx, chatId);
  if (left.length === 0) return;
  const manager = await tx
    .selectFrom('chat_participants')
    .select('user_id')
    .where('chat_id', '=', chatId)
    .where('user_id', 'in', left)
    .where('access', '=', 'manage')
    .executeTakeFirst();
  if (manager !== undefined) return;
  throw new AppError('conflict', {
    message: 'Nobody else manages this announcement. Let someone else manage it first.',
  });
}

interface Leaving {
  readonly chatId: string;
  readonly person: Participant;
  readonly isMe: boolean;
}

/** What becomes of somebody's place: who holds a role of the chat reads on by that, until their shift ends. */
async function takeOut(tx: DatabaseTransaction, { chatId, person, isMe }: Leaving): Promise<'removed' | 'changed'> {
  const { user_id: userId, name } = person;
  if (person.is_by_role) {
    const message = isMe
      ? 'You are in this chat by an on-call role. Hand over the role to leave it.'
      : `${name} is in this chat by an on-call role. Remove the role instead.`;
    throw new AppError('conflict', { message });
  }
  if (!(await endOwnParticipation(tx, chatId, userId))) throw new AppError('not_found');
  return (await findParticipant(tx, chatId, userId)) === null ? 'removed' : 'changed';
}
