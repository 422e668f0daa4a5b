import type { Chat, ParticipantAccess } from '@wardline/contract/chat.ts';
import type * as contract from '@wardline/contract/chat-management.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { chatChanged, membershipChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { loadChatChange, lockChat } from '#/features/chat/core/chat-queries.ts';
import { findParticipant, holdMembers } from '#/features/chat/core/participant-queries.ts';
import { manageChat } from '#/features/chat/core/policy.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import { appendLines } from '#/features/chat/messages/system-lines.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.addParticipant;

/**
 * Adds a member of the facility, or gives a participant another access. Without `access` a newcomer may write, save in an
 * announcement, and without `history` they see all that was said.
 */
export async function addParticipant(
  { actor, db, write }: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { chat: chatId, user: userId } = params;
  const { facilityId } = await requireChat(db, { actor, chatId }, manageChat);
  return write('chat.participant.add', async (tx) => {
    const members = await holdMembers(tx, facilityId, [userId]);
    await lockChat(tx, chatId);
    const { kind, headSeq } = await requireChat(tx, { actor, chatId }, manageChat);
    if (!members.has(userId)) throw new AppError('not_found');
    const before = await findParticipant(tx, chatId, userId);
    const access = body.access ?? before?.access ?? newcomerAccess(kind);
    guardAccess(kind, access);
    if (before?.access === access) return { result: before, audit: null };
    const { history = 'all' } = body;
    await upsertParticipant(tx, { chatId, facilityId, userId, access, joinedSeq: history === 'now' ? headSeq : 0 });
    const result = await findParticipant(tx, chatId, userId);
    if (result === null) throw new AppError('not_found');
    const line = before ? `gave ${result.name} ${access} access` : `added ${result.name}, ${PAST[history]}`;
    const lines = await appendLines(tx, { actor, chatId, facilityId }, [line]);
    const change = before ? 'changed' : 'added';
    return {
      result,
      audit: {
        facilityId,
        objectType: 'chat',
        objectId: chatId,
        detail: { user: userId, access, change, history: before ? null : history },
      },
      publish: [
        membershipChanged(userId, { facility_id: facilityId, chat_id: chatId, change }),
        ...lines.flatMap(messageSent),
        ...chatChanged(await loadChatChange(tx, chatId)),
      ],
    };
  });
}

/** What a newcomer sees, as the line in the chat says it. */
const PAST = { all: 'who sees all messages', now: 'who sees messages from now on' } as const;

function newcomerAccess(kind: Chat['kind']): ParticipantAccess {
  return kind === 'announcement' ? 'read' : 'write';
}

function guardAccess(kind: Chat['kind'], access: ParticipantAccess): void {
  if (kind === 'announcement' && access === 'write') {
    throw invalidField('access', 'In an announcement one reads, or manages and writes.');
  }
}

interface PersonToAdd {
  readonly chatId: string;
  readonly facilityId: string;
  readonly userId: string;
  readonly access: ParticipantAccess;
  /** What a newcomer sees begins after it; who is in already keeps what they see. */
  readonly joinedSeq: number;
}

/** Puts a person in, back in, or under another access. Markers only rise: nobody has to read what they cannot see. */
async function upsertParticipant(tx: DatabaseTransaction, person: PersonToAdd): Promise<void> {
  const { chatId, facilityId, userId, access, joinedSeq } = person;
  await sql`
    insert into chat_participants as p (chat_id, user_id, facility_id, access, joined_seq, delivered_seq, read_seq)
    values (${chatId}, ${userId}, ${facilityId}, ${access}, ${joinedSeq}, ${joinedSeq}, ${joinedSeq})
    on conflict (chat_id, user_id) do update set
      access = excluded.access, left_at = null,
      joined_seq = case when p.left_at is null then p.joined_seq else excluded.joined_seq end,
      delivered_seq = case when p.left_at is null then p.delivered_seq
        else greatest(p.delivered_seq, excluded.joined_seq) end,
      read_seq = case when p.left_at is null then p.read_seq else greatest(p.read_seq, excluded.joined_seq) end`.execute(
    tx,
  );
}
