import { type CredentialRow, findCredential, findLive, noteUse } from '#/features/auth/account/credential-queries.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { Credential, Identity } from '#/platform/http/bind-routes.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { RecentlyUsed } from '#/platform/recently-used.ts';
import { isToken } from './start-session.ts';

export interface IdentifyOptions {
  readonly log: RequestContext['log'];
  /** How long an identity may be remembered in this process; at most 5 s. */
  readonly cacheMs?: number;
}

export interface Identify {
  /** Who sends this. A bearer token that has no force is nobody, whatever cookie came along. */
  (credential: Credential): Promise<Identity | null>;
  /** The same by the key that names a session or token, for sockets. */
  byKey(key: string): Promise<Actor | null>;
  /** Which of these sessions and tokens have force, read now. */
  liveKeys(keys: readonly string[]): Promise<Set<string>>;
  /** Drops what is remembered, so that ended rights hold at once in this process. */
  forget(what: { readonly userId?: string; readonly key?: string }): void;
}

interface Remembered {
  readonly row: CredentialRow;
  readonly actor: Actor;
  readonly until: number;
  readonly expiresAt: number;
}

const CACHE_MS = 5_000;
const CACHE_ENTRIES = 10_000;
const KEY = /^[0-9a-f]{64}$/;

export function createIdentify(db: RequestContext['db'], { log, cacheMs = CACHE_MS }: IdentifyOptions): Identify {
  const cache = new RecentlyUsed<string, Remembered>(CACHE_ENTRIES);
  // An answer that was asked for before something was forgotten may be out of date and is not remembered.
  let forgotten = 0;

  async function look(key: string): Promise<Remembered | null> {
    const known = cache.get(key);
    if (known && performance.now() < known.until) return known;
    const forgottenBefore = forgotten;
    const startedAt = performance.now();
    const row = await findCredential(db, Buffer.from(key, 'hex'));
    if (!row) {
      cache.delete(key);
      return null;
    }
    const expiresAt = startedAt + row.ms_left;
    const until = Math.min(startedAt + Math.min(cacheMs, CACHE_MS), expiresAt);
    const found = { row, actor: actorOf(row, key), until, expiresAt };
    if (forgotten === forgottenBefore) cache.set(key, found);
    if (row.is_use_unnoted) await note(row.kind, key);
    return found;
  }

  async function note(kind: CredentialRow['kind'], key: string): Promise<void> {
    try {
      await noteUse(db, kind, Buffer.from(key, 'hex'));
    } catch (error) {
      // A database that takes no writes still answers reads.
      log.warn({ err: error }, 'the use of a session could not be noted');
    }
  }

  const identify = async (credential: Credential): Promise<Identity | null> => {
    const secret = credential.kind === 'session' ? credential.id : credential.token;
    if (credential.kind === 'token' && !isToken(secret)) return null;
    const found = await look(hashSecret(secret).toString('hex'));
    if (found?.row.kind !== credential.kind) return null;
    const secondsLeft = Math.max(0, Math.floor((found.expiresAt - performance.now()) / 1000));
    return { actor: found.actor, cookieMaxAgeS: found.row.remember ? secondsLeft : null };
  };

  return Object.assign(identify, {
    async byKey(key: string) {
      return KEY.test(key) ? ((await look(key))?.actor ?? null) : null;
    },
    async liveKeys(keys: readonly string[]) {
      const hashes = keys.filter((key) => KEY.test(key)).map((key) => Buffer.from(key, 'hex'));
      const live = await findLive(db, hashes);
      return new Set(live.map((hash) => hash.toString('hex')));
    },
    forget({ userId, key }: { readonly userId?: string; readonly key?: string }) {
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
    memberships: row.memberships.map((membership) => ({
      id: membership.id,
      facilityId: membership.facility_id,
      facilityName: membership.facility_name,
      title: membership.title,
      roles: membership.roles,
      permissions: new Set(membership.permissions),
    })),
    credential: { kind: row.kind, key },
  };
}
