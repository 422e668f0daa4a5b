import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { endCredential } from '#/features/auth/account/credential-queries.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { hashSecret, newSessionId } from '#/platform/http/session-cookie.ts';

const SESSIONS_PER_USER = 10;
export const SHARED_DEVICE_S = 12 * 60 * 60;
export const OWN_DEVICE_S = 7 * 24 * 60 * 60;

const TOKEN = /^wardline_[A-Za-z0-9_-]{43}$/;
export const TOKEN_LIFETIME_S = 90 * 24 * 60 * 60;

/** 32 random bytes; the prefix lets a leak scanner find one, and lets the server tell it from a session id. */
export function newToken(): string {
  return `wardline_${randomBytes(32).toString('base64url')}`;
}

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

export interface StartedSession {
  readonly id: string;
  /** For the cookie; null on a shared device, where it ends with the browser. */
  readonly maxAgeS: number | null;
  /** Keys of the sessions that ended for it. */
  readonly endedKeys: readonly string[];
}

interface SessionStart {
  readonly userId: string;
  readonly remember: boolean;
  readonly hasGivenFactor: boolean;
  /** The provider whose word that factor is. */
  readonly factorIssuer?: string | null;
}

/** A new session with a new id; ends the one the browser had, and the oldest beyond ten. */
export async function startSession(
  tx: Transaction,
  ctx: Pick<RequestContext<Actor | null>, 'http'>,
  { userId, remember, hasGivenFactor, factorIssuer = null }: SessionStart,
): Promise<StartedSession> {
  const id = newSessionId();
  const lifetimeS = remember ? OWN_DEVICE_S : SHARED_DEVICE_S;
  const ended: Buffer[] = [];
  if (ctx.http.sessionId !== null) {
    const previous = hashSecret(ctx.http.sessionId);
    if (await endCredential(tx, 'session', previous)) ended.push(previous);
  }
  ended.push(...(await endOldestSessions(tx, userId, SESSIONS_PER_USER - 1)));
  const { ip, userAgent } = ctx.http;
  await insertSession(tx, {
    idHash: hashSecret(id),
    userId,
    remember,
    hasGivenFactor,
    factorIssuer,
    ip,
    userAgent,
    lifetimeS,
  });
  return { id, maxAgeS: remember ? lifetimeS : null, endedKeys: ended.map((hash) => hash.toString('hex')) };
}

/** Ends all but the newest `keep` sessions of a person, expired ones first. Returns the hashes of the ended. */
async function endOldestSessions(tx: DatabaseTransaction, userId: string, keep: number): Promise<Buffer[]> {
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

interface NewSession extends SessionStart {
  readonly idHash: Buffer;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly lifetimeS: number;
}

async function insertSession(tx: Database | DatabaseTransaction, session: NewSession): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({
      id_hash: session.idHash,
      user_id: session.userId,
      remember: session.remember,
      ip: session.ip,
      user_agent: session.userAgent,
      factor_issuer: session.factorIssuer ?? null,
      second_factor_at: session.hasGivenFactor ? sql`now()` : null,
      expires_at: sql`now() + make_interval(secs => ${session.lifetimeS})`,
    })
    .execute();
}
