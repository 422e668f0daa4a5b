import type { HandoverSigner } from '@wardline/contract/examinations/handovers.ts';
import { formatOnCallAs } from '@wardline/format/names.ts';
import { chatChanged, membershipChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { loadChatChange, storeChatChange } from '#/features/chat/core/chat-queries.ts';
import { appendLine, listNotableMessages, type NotableMessages } from '#/features/chat/core/message-queries.ts';
import {
  findOwnAccess,
  findParticipant,
  holdMembers,
  isOnLoan,
  upsertParticipant,
} from '#/features/chat/core/participant-queries.ts';
import { manageChat } from '#/features/chat/core/policy.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import { appendLines } from '#/features/chat/messages/system-lines.ts';
import { findHolder } from '#/features/chat/urgent/who-to-call.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { transition } from './transition.ts';

interface Place {
  readonly actor: Actor;
  readonly chatId: string;
}

/** To whom a hand-over goes, and by which role. */
export interface HandoverReceiver extends HandoverSigner {
  readonly role: { readonly id: string; readonly name: string } | null;
}

/** For hand-overs: who takes a patient over, what the chat says, and what becomes of the chat. */
export interface ChatHandovers {
  /** Before the chat's lock: the person, or who holds the role now; held as a member to the end. 422 where there is nobody. */
  findReceiver(
    tx: DatabaseTransaction,
    asked: { facilityId: string; to: { user_id: string | null; role_id: string | null } },
  ): Promise<HandoverReceiver>;
  /** Under the chat's lock: whoever is not in the chat yet comes in, where who gives it may add people; 422 otherwise. */
  letIn(tx: DatabaseTransaction, place: Place & { receiver: HandoverReceiver }): Promise<Publication[]>;
  holdsRole(db: Database | DatabaseTransaction, place: { roleId: string; userId: string }): Promise<boolean>;
  notableMessages(
    db: Database | DatabaseTransaction,
    of: { chatId: string; userId: string; ids: readonly string[] },
  ): Promise<NotableMessages>;
  /** Under the chat's lock, for who received it: the chat goes to them, as who gave it wanted and as long as they manage it. */
  handOver(tx: DatabaseTransaction, place: Place & { giver: HandoverSigner }): Promise<Publication[]>;
}

export const chatHandovers: ChatHandovers = {
  async findReceiver(tx, { facilityId, to }) {
    const role = to.role_id === null ? null : await findRole(tx, { facilityId, roleId: to.role_id });
    const userId = role ? (await findHolder(tx, role.id))?.user_id : to.user_id;
    if (role && !userId) throw invalidField('to', `Nobody is ${formatOnCallAs(role.name)} now. Choose a person.`);
    const held = await holdMembers(tx, facilityId, userId ? [userId] : []);
    const person = userId && held.has(userId) ? await findMember(tx, { facilityId, userId }) : undefined;
    if (!person) throw invalidField('to', 'Whom you chose is not in this facility any more.');
    return { ...person, role };
  },

  async letIn(tx, { actor, chatId, receiver: { user_id: userId, name, role } }) {
    const chat = await requireChat(tx, { actor, chatId });
    const mayAdd = can(actor, manageChat, chat);
    const before = await findParticipant(tx, chatId, userId);
    const own = isOnLoan(before) ? null : await findOwnAccess(tx, chatId, userId);
    if (own === 'write' || own === 'manage') return [];
    // The next holder of the role follows who is here by a shift; where nobody may be added, what they have for now has to do.
    const isFollowed = role !== null && before?.emergency_until === null;
    if (before && before.access !== 'read' && (isFollowed || !mayAdd)) return [];
    if (!mayAdd) {
      const why = before ? `${name} can only read this chat.` : `${name} is not in this chat.`;
      throw invalidField('to', `${why} Ask somebody who manages it to add them, or choose somebody else.`);
    }
    const { facilityId } = chat;
    await upsertParticipant(tx, { chatId, facilityId, userId, access: 'write', joinedSeq: 0 });
    const given = before?.access !== 'read' ? `kept ${name} in the chat` : `gave ${name} write access`;
    const line = before ? given : `added ${name}, who sees all messages`;
    const lines = await appendLines(tx, { actor, chatId, facilityId }, [line]);
    const change = before ? 'changed' : 'added';
    return [
      membershipChanged(userId, { facility_id: facilityId, chat_id: chatId, change }),
      ...lines.flatMap(messageSent),
    ];
  },

  async holdsRole(db, { roleId, userId }) {
    return (await findHolder(db, roleId))?.user_id === userId;
  },

  notableMessages: listNotableMessages,

  async handOver(tx, { actor, chatId, giver }) {
    const chat = await requireChat(tx, { actor, chatId });
    if ((await findParticipant(tx, chatId, giver.user_id))?.access !== 'manage') return [];
    const { facilityId, version } = chat;
    const change = transition(chat, { expected_version: version, state: 'handed_over' });
    const isGiven = chat.participant.access !== 'manage';
    if (change.kind === 'changed') await storeChatChange(tx, chatId, change.next);
    if (isGiven) {
      const { userId } = actor;
      await upsertParticipant(tx, { chatId, facilityId, userId, access: 'manage', joinedSeq: 0 });
    }
    const bodies = [
      ...(change.kind === 'changed' ? change.lines : []),
      ...(isGiven ? [`gave ${actor.name} manage access`] : []),
    ];
    const sender = { id: giver.user_id, name: giver.name, title: giver.title };
    const told: Publication[] = [];
    for (const body of bodies) told.push(...messageSent(await appendLine(tx, { chatId, sender, body })));
    const changed = { facility_id: facilityId, chat_id: chatId, change: 'changed' } as const;
    return [
      ...(isGiven ? [membershipChanged(actor.userId, changed)] : []),
      ...told,
      ...chatChanged(await loadChatChange(tx, chatId)),
    ];
  },
};

async function findRole(tx: DatabaseTransaction, { facilityId, roleId }: { facilityId: string; roleId: string }) {
  const found = await tx
    .selectFrom('on_call_roles')
    .select(['id', 'name'])
    .where('id', '=', roleId)
    .where('facility_id', '=', facilityId)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  if (!found) throw invalidField('to', 'The on-call role you chose is no longer there.');
  return found;
}

function findMember(tx: DatabaseTransaction, { facilityId, userId }: { facilityId: string; userId: string }) {
  return tx
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.user_id', 'u.name', 'm.title'])
    .where('m.facility_id', '=', facilityId)
    .where('m.user_id', '=', userId)
    .where('m.ended_at', 'is', null)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst();
}
