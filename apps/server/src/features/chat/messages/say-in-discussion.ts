import { type Chat, type MessageAct, WRITABLE_STATES } from '@wardline/contract/chat/chat.ts';
import { sql } from 'kysely';
import { chatChanged, membershipChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { insertChat, loadChatChange, storeChatChange } from '#/features/chat/core/chat-queries.ts';
import { hashContent } from '#/features/chat/core/content-hash.ts';
import { appendLine } from '#/features/chat/core/message-queries.ts';
import { holdMembers, insertParticipants } from '#/features/chat/core/participant-queries.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { SERVER_USER } from '#/platform/http/server-actor.ts';
import { newId } from '#/platform/new-id.ts';

/** A line in the discussion about something, and who is to take part in it. */
interface DiscussionLine {
  readonly facilityId: string;
  /** The chat in which it was talked about so far; null opens one. */
  readonly chatId: string | null;
  readonly title: string;
  /** Those who are concerned; added where they are not in it yet. People who are no members (any more) are left out. */
  readonly people: readonly string[];
  /** Of them those who are put in again where they left: what is said asks them to act now. */
  readonly returning?: readonly string[];
  /** Whose act the line tells of; null when the server itself speaks, by its clock. */
  readonly by: { readonly userId: string; readonly name: string } | null;
  /** What was done, said without the name: 'returned the report: …'. */
  readonly body: string;
  /** What can be done about it, from the line. */
  readonly act?: MessageAct;
}

interface SaidLine {
  readonly chatId: string;
  /** Goes out after the commit. */
  readonly publish: readonly Publication[];
}

/** Runs in the transaction of the change that the line tells of. */
export type SayInDiscussion = (tx: Transaction, line: DiscussionLine) => Promise<SaidLine>;

const LONGEST_TITLE = 120;

/**
 * Says what happened to something of another feature, in the group chat about it: opened with the first line, for those who
 * are concerned and are members. A chat that was closed is reopened, since people are to answer.
 */
export const sayInDiscussion: SayInDiscussion = async (tx, line) => {
  const { facilityId, people, returning = [], body, act } = line;
  const sender = await senderOf(tx, line);
  const members = await holdMembers(tx, facilityId, [...new Set(people)].sort());
  if (line.chatId === null) {
    const chatId = await openDiscussion(tx, { line, createdBy: sender.id, members: [...members].sort() });
    await appendLine(tx, { chatId, sender, body, act });
    return { chatId, publish: [...members].map((userId) => added(userId, { facilityId, chatId })) };
  }
  const { chatId } = line;
  const discussion = await lockDiscussion(tx, { chatId, facilityId });
  const newcomers = await addConcerned(tx, { chatId, facilityId, userIds: [...members], returning });
  const messages = [];
  if (!WRITABLE_STATES.includes(discussion.state)) {
    await storeChatChange(tx, chatId, { title: discussion.title, state: 'open', version: discussion.version + 1 });
    messages.push(await appendLine(tx, { chatId, sender, body: 'reopened the chat' }));
  }
  messages.push(await appendLine(tx, { chatId, sender, body, act }));
  return {
    chatId,
    publish: [
      ...newcomers.map((userId) => added(userId, { facilityId, chatId })),
      ...messages.flatMap(messageSent),
      ...chatChanged(await loadChatChange(tx, chatId)),
    ],
  };
};

/** Whose line it is: a person, as they are in the facility, or the product itself. */
async function senderOf(tx: Transaction, { by, facilityId }: DiscussionLine) {
  if (by === null) return { ...SERVER_USER, title: null };
  return { id: by.userId, name: by.name, title: await findTitle(tx, { facilityId, userId: by.userId }) };
}

interface Opening {
  readonly line: DiscussionLine;
  readonly createdBy: string;
  readonly members: readonly string[];
}

async function openDiscussion(tx: Transaction, { line, createdBy, members }: Opening): Promise<string> {
  const { facilityId } = line;
  const chatId = newId();
  const title = line.title.slice(0, LONGEST_TITLE);
  const contentHash = hashContent({ facilityId, kind: 'group', title, patient: null, others: members });
  const chat = { id: chatId, facilityId, kind: 'group', title, patient: null, createdBy } as const;
  if (!(await insertChat(tx, { ...chat, clientId: newId(), contentHash }))) throw new Error('a new id was used before');
  const managing = members.filter((userId) => userId === line.by?.userId);
  await insertParticipants(tx, { chatId, facilityId, userIds: managing, access: 'manage' });
  const others = members.filter((userId) => !managing.includes(userId));
  await insertParticipants(tx, { chatId, facilityId, userIds: others, access: 'write' });
  return chatId;
}

function added(userId: string, { facilityId, chatId }: { facilityId: string; chatId: string }): Publication {
  return membershipChanged(userId, { facility_id: facilityId, chat_id: chatId, change: 'added' });
}

interface Discussion {
  readonly title: string;
  readonly state: Chat['state'];
  readonly version: number;
}

/** The chat of a discussion in its facility, locked until the commit. */
async function lockDiscussion(
  tx: DatabaseTransaction,
  { chatId, facilityId }: { chatId: string; facilityId: string },
): Promise<Discussion> {
  const discussion = await tx
    .selectFrom('chats')
    .select(['title', 'state', 'version'])
    .where('id', '=', chatId)
    .where('facility_id', '=', facilityId)
    .forNoKeyUpdate()
    .$narrowType<Discussion>()
    .executeTakeFirst();
  if (!discussion) throw new Error('a discussion is not in its facility');
  return discussion;
}

interface Concerned {
  readonly chatId: string;
  readonly facilityId: string;
  readonly userIds: readonly string[];
  readonly returning: readonly string[];
}

const concerned = typedRows<{ user_id: string }>({ user_id: 'string' });

/**
 * Puts in who has not been in it. Who left or was taken out stays out, unless they are to return or their membership began anew
 * since: leaving a facility ends every place in its chats. Returns those who came in.
 */
async function addConcerned(
  tx: DatabaseTransaction,
  { chatId, facilityId, userIds, returning }: Concerned,
): Promise<string[]> {
  const query = sql`
    insert into chat_participants as p (chat_id, user_id, facility_id, access)
    select ${chatId}, m.user_id, m.facility_id, 'write' from memberships m
    where m.facility_id = ${facilityId} and m.user_id = any(${userIds}::uuid[]) and m.ended_at is null
    on conflict (chat_id, user_id) do update set left_at = null, access = 'write'
      where p.left_at is not null and (p.user_id = any(${returning}::uuid[]) or p.left_at <= (
        select m.created_at from memberships m
        where m.user_id = p.user_id and m.facility_id = p.facility_id and m.ended_at is null))
    returning p.user_id`;
  return (await concerned.read(tx, query)).map((row) => row.user_id);
}

/** A member's title in the facility. */
async function findTitle(
  tx: DatabaseTransaction,
  { facilityId, userId }: { facilityId: string; userId: string },
): Promise<string | null> {
  const found = await tx
    .selectFrom('memberships')
    .select('title')
    .where('facility_id', '=', facilityId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return found?.title ?? null;
}
