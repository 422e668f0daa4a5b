import { type Selectable, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Users } from '#/platform/db/types.ts';

type Queryable = Database | DatabaseTransaction;

export interface CredentialRow
  extends Pick<Selectable<Users>, 'name' | 'email' | 'email_verified_at' | 'is_operator' | 'avatar_key'> {
  kind: 'session' | 'token';
  remember: boolean;
  ms_left: number;
  /** True when it is a minute since the use was noted. */
  is_use_unnoted: boolean;
  user_id: string;
  memberships: MembershipRow[];
}

interface MembershipRow {
  id: string;
  facility_id: string;
  facility_name: string;
  title: string | null;
  roles: string[];
  permissions: string[];
}

const credentials = typedRows<CredentialRow>({
  kind: 'string',
  remember: 'boolean',
  ms_left: 'number',
  is_use_unnoted: 'boolean',
  user_id: 'string',
  name: 'string',
  email: 'string',
  email_verified_at: 'date?',
  is_operator: 'boolean',
  avatar_key: 'string?',
  memberships: 'array',
});
const liveHashes = typedRows<{ hash: Buffer }>({ hash: 'buffer' });

/** The session or token of this hash with its person and their rights, in one query; undefined when it has no force. */
export async function findCredential(db: Queryable, hash: Buffer): Promise<CredentialRow | undefined> {
  const query = sql`
    with credential as (
      select 'session' as kind, user_id, remember, expires_at, last_active_at as noted_at
      from sessions where id_hash = ${hash} and expires_at > now()
      union all
      select 'token', user_id, false, expires_at, coalesce(last_used_at, '-infinity')
      from access_tokens
      where token_hash = ${hash} and expires_at > now()
        and coalesce(last_used_at, created_at) > now() - interval '30 days'
    )
    select c.kind, c.remember, u.id as user_id, u.name, u.email, u.email_verified_at, u.is_operator,
      u.avatar_key,
      c.noted_at < now() - interval '1 minute' as is_use_unnoted,
      (extract(epoch from c.expires_at - now()) * 1000)::float8 as ms_left,
      coalesce((
        select json_agg(json_build_object(
          'id', m.id, 'facility_id', f.id, 'facility_name', f.name, 'title', m.title,
          'roles', held.roles, 'permissions', held.permissions) order by m.id)
        from memberships m
        join facilities f on f.id = m.facility_id
        cross join lateral (
          select coalesce(array_agg(distinct r.name) filter (where r.name is not null), '{}') as roles,
            coalesce(array_agg(distinct p.name) filter (where p.name is not null), '{}') as permissions
          from membership_roles mr
          join roles r on r.id = mr.role_id and r.facility_id = mr.facility_id
          left join lateral unnest(r.permissions) as p(name) on true
          where mr.membership_id = m.id
        ) held
        where m.user_id = u.id and m.ended_at is null
      ), '[]') as memberships
    from credential c
    join users u on u.id = c.user_id and u.disabled_at is null`;
  return credentials.first(db, query);
}

/** Notes the use; the condition keeps parallel requests from writing it twice. */
export async function noteUse(db: Database, kind: CredentialRow['kind'], hash: Buffer): Promise<void> {
  const aMinuteAgo = sql<Date>`now() - interval '1 minute'`;
  if (kind === 'session') {
    await db
      .updateTable('sessions')
      .set({ last_active_at: sql`now()` })
      .where('id_hash', '=', hash)
      .where('last_active_at', '<', aMinuteAgo)
      .execute();
    return;
  }
  await db
    .updateTable('access_tokens')
    .set({ last_used_at: sql`now()` })
    .where('token_hash', '=', hash)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', aMinuteAgo)]))
    .execute();
}

/** Which of these sessions and tokens have force now. */
export async function findLive(db: Database, hashes: Buffer[]): Promise<Buffer[]> {
  const query = sql`
    with credential as (
      select id_hash as hash, user_id from sessions where id_hash = any(${hashes}) and expires_at > now()
      union all
      select token_hash, user_id from access_tokens
      where token_hash = any(${hashes}) and expires_at > now()
        and coalesce(last_used_at, created_at) > now() - interval '30 days'
    )
    select c.hash from credential c join users u on u.id = c.user_id and u.disabled_at is null`;
  return (await liveHashes.read(db, query)).map((row) => row.hash);
}

export interface Account {
  id: string;
  password_hash: string;
}

export async function findAccount(db: Database, email: string): Promise<Account | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('email', '=', email)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
}

/** Holds the account until the end of the transaction; false when it was disabled or its password changed since. */
export async function lockAccount(tx: DatabaseTransaction, account: Account): Promise<boolean> {
  const held = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', account.id)
    .where('password_hash', '=', account.password_hash)
    .where('disabled_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return held !== undefined;
}

export async function replacePasswordHash(tx: DatabaseTransaction, userId: string, hash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: hash }).where('id', '=', userId).execute();
}

export interface NewSession {
  readonly idHash: Buffer;
  readonly userId: string;
  readonly remember: boolean;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly lifetimeS: number;
}

export async function insertSession(tx: Queryable, session: NewSession): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({
      id_hash: session.idHash,
      user_id: session.userId,
      remember: session.remember,
      ip: session.ip,
      user_agent: session.userAgent,
      expires_at: sql`now() + make_interval(secs => ${session.lifetimeS})`,
    })
    .execute();
}

/** Ends all but the newest `keep` sessions of a person, expired ones first. Returns the hashes of the ended. */
export async function endOldestSessions(tx: DatabaseTransaction, userId: string, keep: number): Promise<Buffer[]> {
  const newest = tx
    .selectFrom('sessions')
    .select('id_hash')
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('created_at', 'desc')
    .orderBy('id_hash')
    .limit(keep);
  const ended = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where((where) => where.or([where('expires_at', '<=', sql<Date>`now()`), where('id_hash', 'not in', newest)]))
    .returning('id_hash')
    .execute();
  return ended.map((row) => row.id_hash);
}

/** False when there was no such session or token. */
export async function endCredential(
  tx: DatabaseTransaction,
  kind: CredentialRow['kind'],
  hash: Buffer,
): Promise<boolean> {
  const deletion =
    kind === 'session'
      ? tx.deleteFrom('sessions').where('id_hash', '=', hash)
      : tx.deleteFrom('access_tokens').where('token_hash', '=', hash);
  const { numDeletedRows } = await deletion.executeTakeFirst();
  return numDeletedRows > 0n;
}

export interface NewToken {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly tokenHash: Buffer;
  readonly lifetimeS: number;
}

export async function insertToken(tx: DatabaseTransaction, token: NewToken): Promise<void> {
  await tx
    .insertInto('access_tokens')
    .values({
      id: token.id,
      user_id: token.userId,
      name: token.name,
      token_hash: token.tokenHash,
      expires_at: sql`now() + make_interval(secs => ${token.lifetimeS})`,
    })
    .execute();
}

/** Lets only one transaction at a time give an address to an account, whoever has it now. */
export async function lockAddress(tx: DatabaseTransaction, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`address ${email}`}, 0))`.execute(tx);
}

/** What has no force any more; a person's own sessions are removed at sign-in, everything else here. */
export async function purgeExpired(db: Database): Promise<void> {
  for (const table of ['sessions', 'access_tokens', 'registrations', 'email_changes'] as const) {
    await db.deleteFrom(table).where('expires_at', '<', sql<Date>`now()`).execute();
  }
  // Links for a new password are counted for an hour, longer than they are good.
  await db.deleteFrom('password_resets').where('created_at', '<', sql<Date>`now() - interval '1 hour'`).execute();
}
