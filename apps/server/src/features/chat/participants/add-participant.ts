import type { Chat, ParticipantAccess } from '@wardline/contract/chat/chat.ts';
import type * as contract from '@wardline/contract/chat/chat-management.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { chatChanged, membershipChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { loadChatChange, lockChat } from '#/features/chat/core/chat-queries.ts';
import {
  findOwnAccess,
  findParticipant,
  holdMembers,
  isOnLoan,
  upsertParticipant,
} from '#/features/chat/core/participant-queries.ts';
import { manageChat } from '#/features/chat/core/policy.ts';
import { requireChat, requireManaged } from '#/features/chat/core/require-chat.ts';
import { appendLines } from '#/features/chat/messages/system-lines.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof contract.addParticipant;

/**
 * Adds a member of the facility, or gives a participant another access; who is there in an emergency stays. Without `access` a newcomer may write, save in an
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
    const { kind, headSeq } = await requireManaged(tx, { actor, chatId });
    if (!members.has(userId)) throw new AppError('not_found');
    const before = await findParticipant(tx, chatId, userId);
    // Not what a shift adds to it: they are to have it when that is over, too.
    const own = before && (await findOwnAccess(tx, chatId, userId));
    const access = body.access ?? own ?? newcomerAccess(kind);
    guardAccess(kind, access);
    const isKept = own === access && isOnLoan(before);
    if (before && own === access && !isKept) return { result: before, audit: null };
    const { history = 'all' } = body;
    await upsertParticipant(tx, { chatId, facilityId, userId, access, joinedSeq: history === 'now' ? headSeq : 0 });
    const result = await findParticipant(tx, chatId, userId);
    if (result === null) throw new AppError('not_found');
    const given = isKept ? `kept ${result.name} in the chat` : `gave ${result.name} ${access} access`;
    const line = before ? given : `added ${result.name}, ${PAST[history]}`;
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
