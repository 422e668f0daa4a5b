import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';

/** What has no force any more; a person's own sessions are removed at sign-in, everything else here. */
export async function purgeExpired(db: Database): Promise<void> {
  for (const table of [
    'sessions',
    'access_tokens',
    'email_changes',
    'pending_sign_ins',
    'passkey_challenges',
    'sso_attempts',
  ] as const) {
    await db.deleteFrom(table).where('expires_at', '<', sql<Date>`now()`).execute();
  }
  // Registrations are counted by the mails of their address, for an hour; one that was replaced has no force before that.
  await db
    .deleteFrom('registrations')
    .where('expires_at', '<', sql<Date>`now()`)
    .where('created_at', '<', sql<Date>`now() - interval '1 hour'`)
    .execute();
  // Links for a new password are counted for an hour, longer than they are good.
  await db.deleteFrom('password_resets').where('created_at', '<', sql<Date>`now() - interval '1 hour'`).execute();
}
