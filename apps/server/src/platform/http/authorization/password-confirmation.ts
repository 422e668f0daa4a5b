import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';

/** How long a session that has confirmed the password may do what asks for that. */
const CONFIRMED_FOR_S = 15 * 60;

/** Whether this session or token has confirmed the password within so many seconds; read now, not remembered. */
export async function isPasswordConfirmed(
  db: Database,
  { credential: { kind, key } }: Pick<Actor, 'credential'>,
  withinS: number = CONFIRMED_FOR_S,
): Promise<boolean> {
  const hash = Buffer.from(key, 'hex');
  const since = sql<Date>`now() - make_interval(secs => ${withinS})`;
  const found =
    kind === 'session'
      ? await db
          .selectFrom('sessions')
          .select('id')
          .where('id_hash', '=', hash)
          .where('password_confirmed_at', '>', since)
          .executeTakeFirst()
      : await db
          .selectFrom('access_tokens')
          .select('id')
          .where('token_hash', '=', hash)
          .where('password_confirmed_at', '>', since)
          .executeTakeFirst();
  return found !== undefined;
}

/** Refuses (423) what a stolen session must not be able to do, until its person has said once more who they are. */
export async function requireConfirmedPassword(db: Database, actor: Pick<Actor, 'credential'>): Promise<void> {
  if (!(await isPasswordConfirmed(db, actor))) throw new AppError('password_unconfirmed');
}

export async function notePasswordConfirmed(
  tx: DatabaseTransaction,
  { credential: { kind, key } }: Pick<Actor, 'credential'>,
): Promise<void> {
  const hash = Buffer.from(key, 'hex');
  const confirmed = { password_confirmed_at: sql<Date>`now()` };
  if (kind === 'session') await tx.updateTable('sessions').set(confirmed).where('id_hash', '=', hash).execute();
  else await tx.updateTable('access_tokens').set(confirmed).where('token_hash', '=', hash).execute();
}
