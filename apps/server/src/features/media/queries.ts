import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';

/** Whose picture has this key, and where they are members now. */
export async function findAvatar(
  db: Database,
  key: string,
): Promise<{ owner_id: string; facility_ids: string[] } | undefined> {
  return db
    .selectFrom('users as u')
    .select('u.id as owner_id')
    .select(
      sql<string[]>`array(
        select m.facility_id from memberships m where m.user_id = u.id and m.ended_at is null)`.as('facility_ids'),
    )
    .where('u.avatar_key', '=', key)
    .executeTakeFirst();
}

/** Gives a person another picture, or none, and returns the key of the one before. */
export async function replaceAvatar(
  tx: DatabaseTransaction,
  { userId, key }: { readonly userId: string; readonly key: string | null },
): Promise<string | null> {
  const before = await tx
    .selectFrom('users')
    .select('avatar_key')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  await tx.updateTable('users').set({ avatar_key: key }).where('id', '=', userId).execute();
  return before?.avatar_key ?? null;
}

/** Which of these keys somebody's picture has. */
export async function findKeysInUse(db: Database, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const used = await db.selectFrom('users').select('avatar_key').where('avatar_key', 'in', keys).execute();
  return new Set(used.flatMap((row) => row.avatar_key ?? []));
}
