import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { deriveKey } from '#/platform/config/derive-key.ts';
import type { Database } from '#/platform/db/database.ts';
import { hashSecret, newSessionId } from '#/platform/http/session-cookie.ts';
import type { Secrets } from './providers.ts';

const LIFETIME_S = 10 * 60;
/** Tabs of one browser that are on their way at the same time. */
const MOST_OF_BROWSER = 5;

export type Purpose = 'sign_in' | 'link' | 'confirm' | 'unlock';

export interface NewAttempt {
  readonly sessionHash: Buffer;
  readonly provider: string;
  readonly purpose: Purpose;
  readonly userId: string | null;
  readonly remember: boolean;
  readonly returnTo: string;
}

export interface Attempt {
  readonly purpose: Purpose;
  readonly user_id: string | null;
  readonly remember: boolean;
  readonly return_to: string;
  readonly created_at: Date;
}

/** Makes what a way to a provider is proven by: nonce and verifier come of the state, which the database does not hold. */
export type SecretsOf = (state?: string) => Secrets;

export function createSecrets(appKey: Buffer): SecretsOf {
  const key = deriveKey(appKey, 'single sign-on');
  const made = (what: string, state: string) =>
    createHmac('sha256', key).update(`${what} ${state}`).digest('base64url');
  return (state = newSessionId()) => ({ state, nonce: made('nonce', state), verifier: made('verifier', state) });
}

/** Notes that this browser goes to a provider; the oldest of its ways beyond a few are forgotten. */
export async function insertAttempt(db: Database, state: string, attempt: NewAttempt): Promise<void> {
  const { sessionHash, provider, purpose, userId, remember, returnTo } = attempt;
  await sql`
    with kept as (
      select state_hash from sso_attempts where session_hash = ${sessionHash}
      order by created_at desc limit ${MOST_OF_BROWSER - 1}
    )
    delete from sso_attempts
    where session_hash = ${sessionHash} and state_hash not in (select state_hash from kept)`.execute(db);
  await db
    .insertInto('sso_attempts')
    .values({
      ...{ state_hash: hashSecret(state), session_hash: sessionHash, provider, purpose },
      ...{ user_id: userId, remember, return_to: returnTo },
      expires_at: sql`now() + make_interval(secs => ${LIFETIME_S})`,
    })
    .execute();
}

/** Takes the one use, whatever comes of it; undefined for another browser's, an old one, and one that was used. */
export async function takeAttempt(
  db: Database,
  { state, sessionHash, provider }: { readonly state: string; readonly sessionHash: Buffer; readonly provider: string },
): Promise<Attempt | undefined> {
  const taken = await db
    .deleteFrom('sso_attempts')
    .where('state_hash', '=', hashSecret(state))
    .where('session_hash', '=', sessionHash)
    .where('provider', '=', provider)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['purpose', 'user_id', 'remember', 'return_to', 'created_at'])
    .executeTakeFirst();
  return taken && { ...taken, purpose: taken.purpose as Purpose };
}
