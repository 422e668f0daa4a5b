import type { Chat } from '@wardline/contract/chat.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';

export interface Thread {
  readonly title: string;
  readonly state: Chat['state'];
  readonly version: number;
}

/** The chat of a thread in its facility, locked until the commit. */
export async function lockThread(
  tx: DatabaseTransaction,
  { chatId, facilityId }: { chatId: string; facilityId: string },
): Promise<Thread> {
  const thread = await tx
    .selectFrom('chats')
    .select(['title', 'state', 'version'])
    .where('id', '=', chatId)
    .where('facility_id', '=', facilityId)
    .forNoKeyUpdate()
    .$narrowType<Thread>()
    .executeTakeFirst();
  if (!thread) throw new Error('a thread is not in its facility');
  return thread;
}

const concerned = typedRows<{ user_id: string }>({ user_id: 'string' });

/**
 * Puts in who has not been in it. Who left or was taken out stays out, unless their membership began anew since: leaving a
 * facility ends every place in its chats. Returns those who came in.
 */
export async function addConcerned(
  tx: DatabaseTransaction,
  { chatId, facilityId, userIds }: { chatId: string; facilityId: string; userIds: readonly string[] },
): Promise<string[]> {
  const query = sql`
    insert into chat_participants as p (chat_id, user_id, facility_id, access)
    select ${chatId}, m.user_id, m.facility_id, 'write' from memberships m
    where m.facility_id = ${facilityId} and m.user_id = any(${userIds}::uuid[]) and m.ended_at is null
    on conflict (chat_id, user_id) do update set left_at = null, access = 'write'
      where p.left_at <= (
        select m.created_at from memberships m
        where m.user_id = p.user_id and m.facility_id = p.facility_id and m.ended_at is null)
    returning p.user_id`;
  return (await concerned.read(tx, query)).map((row) => row.user_id);
}

/** A member's title in the facility. */
export async function findTitle(
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
