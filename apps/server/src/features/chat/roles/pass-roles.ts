import { WRITABLE_STATES } from '@wardline/contract/chat/chat.ts';
import { formatOnCallAs } from '@wardline/format/names.ts';
import { sql } from 'kysely';
import { chatChanged, membershipChanged } from '#/features/chat/core/chat-events.ts';
import { loadChatChange, lockChat } from '#/features/chat/core/chat-queries.ts';
import { appendLine } from '#/features/chat/core/message-queries.ts';
import { findParticipant, holdMembers } from '#/features/chat/core/participant-queries.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Change } from '#/platform/http/context.ts';
import { SERVER_USER } from '#/platform/http/server-actor.ts';
import { findPassings, type Passing, seatHolder } from './role-queries.ts';

interface PassDeps {
  readonly rightsChanged: (userId: string) => void | Promise<void>;
}

/**
 * Lets in who holds the roles of a chat now, and out who held them before: the places, the lines in the chat and what the two are
 * told are one transaction. Doing it twice does nothing the second time.
 */
export async function passRolesOfChat(
  tx: DatabaseTransaction,
  chatId: string,
  { rightsChanged }: PassDeps,
): Promise<Change<void>> {
  const nothing = { result: undefined, audit: null };
  const chat = await findPlace(tx, chatId);
  const expected = await findPassings(tx, chatId);
  if (!chat || expected.length === 0) return nothing;
  // Before the chat's lock, as the end of a membership does.
  const members = await holdMembers(
    tx,
    chat.facility_id,
    expected.flatMap(({ after }) => after ?? []),
  );
  await lockChat(tx, chatId);
  // Whoever took over meanwhile has the role due again.
  const passed = (await findPassings(tx, chatId)).filter(({ after }) => after === null || members.has(after));
  if (passed.length === 0) return nothing;
  const people = [...new Set(passed.flatMap(({ before, after }) => [before, after]))].filter((id) => id !== null);
  const wereIn = await presentOf(tx, chatId, people);
  for (const passing of passed) await pass(tx, chatId, passing);
  const areIn = await presentOf(tx, chatId, people);
  const isOpen = WRITABLE_STATES.some((state) => state === chat.state);
  if (isOpen) await sayPassings(tx, chatId, passed);
  if (chat.kind === 'direct' && passed.some(({ isRetired }) => isRetired)) await closeDirect(tx, chatId);
  const changed = people.filter((id) => wereIn.has(id) || areIn.has(id));
  return {
    result: undefined,
    audit: {
      ...{ facilityId: chat.facility_id, objectType: 'chat', objectId: chatId },
      detail: { roles: passed.map(({ roleId, before, after }) => ({ role: roleId, from: before, to: after })) },
    },
    // No MessageSent: who is out still hears the chat's channel until the recheck. The others fetch the line by the new head_seq.
    publish: [
      ...changed.map((id) => {
        const change = areIn.has(id) ? (wereIn.has(id) ? 'changed' : 'added') : 'removed';
        return membershipChanged(id, { facility_id: chat.facility_id, chat_id: chatId, change });
      }),
      ...chatChanged(await loadChatChange(tx, chatId)),
    ],
    async afterCommit() {
      await Promise.all(changed.map(rightsChanged));
    },
  };
}

const places = typedRows<{ facility_id: string; state: string; kind: string }>({
  ...{ facility_id: 'string', state: 'string', kind: 'string' },
});

function findPlace(tx: DatabaseTransaction, chatId: string) {
  return places.first(tx, sql`select facility_id, state, kind from chats where id = ${chatId}`);
}

/** Who of these reads the chat as its rows say now: a shift that is over counts as gone already. */
async function presentOf(tx: DatabaseTransaction, chatId: string, people: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('chat_participants')
    .select('user_id')
    .where('chat_id', '=', chatId)
    .where('user_id', '=', sql<string>`any(${people}::uuid[])`)
    .where('left_at', 'is', null)
    .execute();
  return new Set(rows.map(({ user_id }) => user_id));
}

async function pass(tx: DatabaseTransaction, chatId: string, passing: Passing): Promise<void> {
  if (!passing.isRetired) return seatHolder(tx, chatId, passing);
  const { roleId } = passing;
  await tx.deleteFrom('chat_roles').where('chat_id', '=', chatId).where('role_id', '=', roleId).execute();
  await seatHolder(tx, chatId, { ...passing, after: null });
}

/** In the name of who comes, or of who goes where nobody does. */
async function sayPassings(tx: DatabaseTransaction, chatId: string, passed: readonly Passing[]): Promise<void> {
  for (const { name, isRetired, before, after } of passed) {
    const sender = (after ?? before) === null ? null : await findPerson(tx, chatId, after ?? before ?? '');
    const former = before && after && (await findPerson(tx, chatId, before)).name;
    const body = isRetired
      ? `${name} is no longer an on-call role and was taken out of this chat`
      : after === null
        ? `is no longer ${formatOnCallAs(name)}; nobody is now`
        : `is ${formatOnCallAs(name)} and reads this chat${former ? `, after ${former}` : ''}`;
    const speaker = isRetired || sender === null ? { ...SERVER_USER, title: null } : sender;
    await appendLine(tx, { chatId, sender: speaker, body });
  }
}

async function findPerson(tx: DatabaseTransaction, chatId: string, userId: string) {
  const found = await findParticipant(tx, chatId, userId);
  if (found) return { id: userId, name: found.name, title: found.title };
  const { name } = await tx.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirstOrThrow();
  return { id: userId, name, title: null };
}

/** There is nobody to write to any more; what was said can be read. */
async function closeDirect(tx: DatabaseTransaction, chatId: string): Promise<void> {
  await tx
    .updateTable('chats')
    .set((row) => ({ state: 'closed', version: row('version', '+', 1) }))
    .where('id', '=', chatId)
    .where('state', '<>', 'closed')
    .execute();
}
