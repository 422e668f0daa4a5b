import type { AuditAction } from '@wardline/contract/audit-actions.ts';
import { sql } from 'kysely';
import type { Client } from 'pg';
import type { Database } from './database.ts';
import { typedRows } from './typed-rows.ts';

/** Held by the connection of a backup for as long as it runs. */
const LOCK = '6003142957518204417';

/**
 * Takes the lock of a backup, before its snapshot; false where another backup has it. Goes with the connection. Those who ask whether
 * one runs hold it for a moment.
 */
export async function takeBackupLock(client: Client, sleep: () => Promise<void>): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1::bigint) as taken', [LOCK]);
    if (rows[0]?.taken) return true;
    await sleep();
  }
  return false;
}

const found = typedRows<{ is_free: boolean }>({ is_free: 'boolean' });

/**
 * Whether a backup runs now. Asked after it was found that nobody needs a file any more and before it is removed: a backup that begins
 * later does not know of that file either.
 */
export async function isBeingBackedUp(db: Database): Promise<boolean> {
  const free = await found.first(db, sql`select pg_try_advisory_xact_lock_shared(${LOCK}::bigint) as is_free`);
  return free?.is_free !== true;
}

/** What the audit's entries of all backups of this installation are about: by it the newest is found. */
const OBJECT_ID = '00000000-0000-4000-8000-00006261636b';

/** Stands in the audit, of the installation: nobody who is known here made it. */
export async function noteBackup(
  db: Database,
  action: Extract<AuditAction, 'backup.make' | 'backup.restore'>,
  detail: Readonly<Record<string, string | number>>,
): Promise<void> {
  await db
    .insertInto('audit_entries')
    .values({
      ...{ action, object_type: 'backup', object_id: OBJECT_ID, detail: JSON.stringify(detail) },
      request_id: action === 'backup.make' ? 'npm run backup' : 'npm run restore',
    })
    .execute();
}

/** When the newest backup was made; null where there is none. */
export async function readLastBackup(db: Database): Promise<Date | null> {
  const last = await db
    .selectFrom('audit_entries')
    .select('at')
    .where('object_id', '=', OBJECT_ID)
    .where('action', '=', 'backup.make')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.at ?? null;
}
