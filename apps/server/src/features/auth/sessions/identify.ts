import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { hasForce, isPersonal } from '#/features/auth/account/token-force.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Users } from '#/platform/db/types.ts';
import type { Actor, ActorMembership } from '#/platform/http/actor.ts';
import type { Credential, Identity } from '#/platform/http/binding/bind-routes.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { createWrite } from '#/platform/http/writes/write.ts';
import { newId } from '#/platform/new-id.ts';
import { RecentlyUsed } from '#/platform/recently-used.ts';
import { isToken } from './start-session.ts';

export interface IdentifyOptions {
  readonly log: RequestContext['log'];
  /** How long an identity may be remembered in this process; at most 5 s. */
  readonly cacheMs?: number;
  /** False for what a person does not do themselves, such as being told of something. */
  readonly notesUse?: boolean;
}

export interface Identify {
  /** Who sends this. A bearer token that has no force is nobody, whatever cookie came along. */
  (credential: Credential): Promise<Identity | null>;
  /** The same by the key that names a session or token, for sockets. */
  byKey(key: string): Promise<Actor | null>;
  /** Which of these sessions and tokens have force, read now. */
  liveKeys(keys: readonly string[]): Promise<Set<string>>;
  /** Drops what is remembered, so that ended rights hold at once in this process. */
  forget(what: { readonly userId?: string | undefined; readonly key?: string | undefined }): void;
}

interface Remembered {
  readonly row: CredentialRow;
  readonly actor: Actor;
  readonly until: number;
  readonly expiresAt: number;
}

const CACHE_MS = 5_000;
/** A personal token is dead within a second of what ends it, also where another process ended it. */
const TOKEN_CACHE_MS = 1_000;
const CACHE_ENTRIES = 10_000;
const SEEN_MS = 5 * 60_000;
const KEY = /^[0-9a-f]{64}$/;

export function createIdentify(db: RequestContext['db'], options: IdentifyOptions): Identify {
  const { log, cacheMs = CACHE_MS, notesUse = true } = options;
  const cache = new RecentlyUsed<string, Remembered>(CACHE_ENTRIES);
  // An answer that was asked for before something was forgotten may be out of date and is not remembered.
  let forgotten = 0;

  async function look(key: string): Promise<Remembered | null> {
    const known = cache.get(key);
    if (known && performance.now() < known.until) return known;
    return asSystem('identity', () => lookUp(key));
  }

  async function lookUp(key: string): Promise<Remembered | null> {
    const forgottenBefore = forgotten;
    const startedAt = performance.now();
    const row = await findCredential(db, Buffer.from(key, 'hex'));
    if (!row) {
      cache.delete(key);
      return null;
    }
    const expiresAt = startedAt + row.ms_left;
    const longestMs = row.is_personal ? TOKEN_CACHE_MS : CACHE_MS;
    const until = Math.min(startedAt + Math.min(cacheMs, longestMs), expiresAt);
    const found = { row, actor: actorOf(row, key), until, expiresAt };
    if (forgotten === forgottenBefore) cache.set(key, found);
    if (notesUse && row.is_use_unnoted) await note(found);
    return found;
  }

  async function note({ row, actor }: Remembered): Promise<void> {
    try {
      if (row.is_personal) await noteFirstUse({ db, log, actor });
      await noteUse(db, row.kind, Buffer.from(actor.credential.key, 'hex'));
    } catch (error) {
      // A database that takes no writes still answers reads.
      log.warn({ err: error }, 'the use of a session could not be noted');
    }
  }

  // One at a time is noted in five minutes for a person: the memory spares the question, the statement the second process.
  const seen = new RecentlyUsed<string, number>(CACHE_ENTRIES);
  async function noteSeen(userId: string): Promise<void> {
    const now = performance.now();
    if (!notesUse || now < (seen.get(userId) ?? 0)) return;
    seen.set(userId, now + SEEN_MS);
    try {
      await asSystem('identity', () => noteLastSeen(db, userId));
    } catch (error) {
      log.warn({ err: error }, 'the last use of a person could not be noted');
    }
  }

  const identify = async (credential: Credential): Promise<Identity | null> => {
    const secret = credential.kind === 'session' ? credential.id : credential.token;
    if (credential.kind === 'token' && !isToken(secret)) return null;
    const found = await look(hashSecret(secret).toString('hex'));
    if (found?.row.kind !== credential.kind) return null;
    await noteSeen(found.row.user_id);
    const secondsLeft = Math.max(0, Math.floor((found.expiresAt - performance.now()) / 1000));
    return { actor: found.actor, cookieMaxAgeS: found.row.remember ? secondsLeft : null };
  };

  return Object.assign(identify, {
    async byKey(key: string) {
      return KEY.test(key) ? ((await look(key))?.actor ?? null) : null;
    },
    async liveKeys(keys: readonly string[]) {
      const hashes = keys.filter((key) => KEY.test(key)).map((key) => Buffer.from(key, 'hex'));
      const live = await asSystem('identity', () => findLive(db, hashes));
      return new Set(live.map((hash) => hash.toString('hex')));
    },
    forget({ userId, key }: Parameters<Identify['forget']>[0]) {
      forgotten++;
      if (key !== undefined) cache.delete(key);
      if (userId !== undefined) cache.deleteWhere((remembered) => remembered.row.user_id === userId);
    },
  });
}

function actorOf(row: CredentialRow, key: string): Actor {
  return {
    userId: row.user_id,
    name: row.name,
    email: row.email,
    emailVerifiedAt: row.email_verified_at?.toISOString() ?? null,
    isOperator: row.is_operator,
    avatarKey: row.avatar_key,
    memberships: row.memberships.filter((membership) => !isClosed(row, membership)).map(toMembership),
    closedMemberships: row.memberships.filter((membership) => isClosed(row, membership)).map(toMembership),
    factorRules: row.memberships.flatMap((membership) => {
      const { facility_id: facilityId, facility_name: facilityName, second_factor_from: from } = membership;
      return from === null || membership.is_deactivated
        ? []
        : [{ facilityId, facilityName, from, isClosed: isClosed(row, membership) }];
    }),
    hasSecondFactor: row.has_second_factor,
    lockAfterMinutes: lockAfterOf(row),
    credential: { kind: row.kind, key, abilities: row.abilities },
  };
}

/** The facility was deactivated, or needs a second factor by now and none was given in this session, or it was removed since. */
function isClosed(
  { is_factor_given, has_second_factor }: CredentialRow,
  { needs_second_factor, is_deactivated }: MembershipRow,
): boolean {
  return is_deactivated || (needs_second_factor && !(is_factor_given && has_second_factor));
}

function toMembership(row: MembershipRow): ActorMembership {
  return {
    id: row.id,
    facilityId: row.facility_id,
    facilityName: row.facility_name,
    title: row.title,
    roles: row.roles,
    permissions: new Set(row.permissions),
    isDeactivated: row.is_deactivated,
  };
}

/** The strictest of the person's facilities; what was signed in to as one's own device is not covered. */
function lockAfterOf({ kind, remember, memberships }: CredentialRow): number | null {
  if (kind === 'token' || remember || memberships.length === 0) return null;
  return Math.min(...memberships.map((membership) => membership.idle_lock_minutes));
}

/** Notes the use; the condition keeps parallel requests from writing it twice. */
async function noteUse(db: Database, kind: CredentialRow['kind'], hash: Buffer): Promise<void> {
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

/** The first use of a personal token has an entry in the audit, before it counts as used. */
async function noteFirstUse({
  db,
  log,
  actor,
}: {
  db: Database;
  log: IdentifyOptions['log'];
  actor: Actor;
}): Promise<void> {
  const http = { ip: null, requestId: newId(), socketId: null };
  await createWrite({ actor, db, log, http }, () => undefined)('token.first_use', async (tx) => {
    const used = await tx
      .updateTable('access_tokens')
      .set({ last_used_at: sql`now()` })
      .where('token_hash', '=', Buffer.from(actor.credential.key, 'hex'))
      .where('last_used_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    return { result: undefined, audit: used ? { objectType: 'access_token', objectId: used.id } : null };
  });
}

/** What a person asks themselves, by any device; a socket that stays open is no use (decision 050). */
async function noteLastSeen(db: Database, userId: string): Promise<void> {
  await sql`
    insert into last_seen (user_id, seen_at) values (${userId}, now())
    on conflict (user_id) do update set seen_at = excluded.seen_at
    where last_seen.seen_at < now() - make_interval(secs => ${SEEN_MS / 1000})`.execute(db);
}

const liveHashes = typedRows<{ hash: Buffer }>({ hash: 'buffer' });

/** Which of these sessions and tokens have force now. */
async function findLive(db: Database, hashes: Buffer[]): Promise<Buffer[]> {
  const query = sql`
    with credential as (
      select id_hash as hash, user_id from sessions where id_hash = any(${hashes}) and expires_at > now()
      union all
      select token_hash, user_id from access_tokens where token_hash = any(${hashes}) and ${hasForce}
    )
    select c.hash from credential c join users u on u.id = c.user_id and u.disabled_at is null`;
  return (await liveHashes.read(db, query)).map((row) => row.hash);
}

interface CredentialRow
  extends Pick<Selectable<Users>, 'name' | 'email' | 'email_verified_at' | 'is_operator' | 'avatar_key'> {
  kind: 'session' | 'token';
  abilities: string[];
  is_personal: boolean;
  remember: boolean;
  ms_left: number;
  /** True when it is a minute since the use was noted. */
  is_use_unnoted: boolean;
  user_id: string;
  is_factor_given: boolean;
  has_second_factor: boolean;
  memberships: MembershipRow[];
}

interface MembershipRow {
  id: string;
  facility_id: string;
  facility_name: string;
  title: string | null;
  roles: string[];
  permissions: string[];
  /** YYYY-MM-DD; null where the facility needs none. */
  second_factor_from: string | null;
  needs_second_factor: boolean;
  is_deactivated: boolean;
  idle_lock_minutes: number;
}

const credentials = typedRows<CredentialRow>({
  kind: 'string',
  abilities: 'array',
  is_personal: 'boolean',
  remember: 'boolean',
  ms_left: 'number',
  is_use_unnoted: 'boolean',
  user_id: 'string',
  name: 'string',
  email: 'string',
  email_verified_at: 'date?',
  is_operator: 'boolean',
  avatar_key: 'string?',
  is_factor_given: 'boolean',
  has_second_factor: 'boolean',
  memberships: 'array',
});

/** The session or token of this hash with its person and their rights, in one query; undefined when it has no force. */
async function findCredential(db: Database | DatabaseTransaction, hash: Buffer): Promise<CredentialRow | undefined> {
  const query = sql`
    with credential as (
      select 'session' as kind, '{*}'::text[] as abilities, false as is_personal, user_id, remember, expires_at,
        last_active_at as noted_at, second_factor_at, factor_issuer
      from sessions where id_hash = ${hash} and expires_at > now()
      union all
      select 'token', abilities, ${isPersonal}, user_id, false, expires_at, coalesce(last_used_at, '-infinity'),
        second_factor_at, factor_issuer
      from access_tokens where token_hash = ${hash} and ${hasForce}
    )
    select c.kind, c.abilities, c.is_personal, c.remember, u.id as user_id, u.name, u.email, u.email_verified_at, u.is_operator,
      u.avatar_key, c.second_factor_at is not null as is_factor_given,
      exists (select from totp_factors t where t.user_id = u.id and t.confirmed_at is not null)
        or exists (select from passkeys k where k.user_id = u.id)
        or exists (select from sso_links l where l.user_id = u.id and l.issuer = c.factor_issuer) as has_second_factor,
      c.noted_at < now() - interval '1 minute' as is_use_unnoted,
      (extract(epoch from c.expires_at - now()) * 1000)::float8 as ms_left,
      coalesce((
        select json_agg(json_build_object(
          'id', m.id, 'facility_id', f.id, 'facility_name', f.name, 'title', m.title,
          'roles', held.roles, 'permissions', held.permissions, 'idle_lock_minutes', f.idle_lock_minutes,
          'second_factor_from', f.second_factor_from, 'is_deactivated', f.deactivated_at is not null,
          'needs_second_factor', coalesce((now() at time zone f.time_zone)::date >= f.second_factor_from, false)) order by m.id)
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
