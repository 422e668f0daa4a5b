import { Secret, TOTP } from 'otpauth';
import { createPasswords, createTotp, type PasswordCost } from '#/features/auth/index.ts';
import { newToken } from '#/features/auth/sessions/start-session.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { hashSecret, newSessionId } from '#/platform/http/session-cookie.ts';
import { newId } from '#/platform/new-id.ts';

type Queryable = Database | DatabaseTransaction;

/** The least that argon2id allows: a test is about something else. */
export const CHEAP_PASSWORD_COST: PasswordCost = { memoryKib: 8, passes: 1 };
/** The password of everybody whom {@link testPasswordHash} was given to. */
export const TEST_PASSWORD = 'correct horse battery';
/** No password fits; such a person is signed in by {@link makeSession}. */
const UNUSABLE_HASH = '$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

export interface MadeUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export interface UserOptions {
  readonly id?: string;
  readonly name?: string;
  readonly email?: string;
  readonly passwordHash?: string;
  readonly emailVerifiedAt?: Date | null;
  readonly isOperator?: boolean;
  readonly isDemo?: boolean;
  readonly disabledAt?: Date | null;
  readonly createdAt?: Date;
}

export async function makeUser(db: Queryable, options: UserOptions = {}): Promise<MadeUser> {
  const id = options.id ?? newId();
  const name = options.name ?? `Robin Sample ${id.slice(-4)}`;
  const email = options.email ?? `${id}@people.test`;
  await db
    .insertInto('users')
    .values({
      id,
      name,
      email,
      password_hash: options.passwordHash ?? UNUSABLE_HASH,
      email_verified_at: options.emailVerifiedAt === undefined ? new Date() : options.emailVerifiedAt,
      is_operator: options.isOperator ?? false,
      is_demo: options.isDemo ?? false,
      disabled_at: options.disabledAt ?? null,
      ...(options.createdAt && { created_at: options.createdAt }),
    })
    .execute();
  return { id, name, email };
}

/** The hash of {@link TEST_PASSWORD} for a server with this app key. */
export function testPasswordHash(appKey: string): Promise<string> {
  return createPasswords(Buffer.from(appKey), CHEAP_PASSWORD_COST).hash(TEST_PASSWORD);
}

interface SessionOptions {
  readonly userId: string;
  readonly lifetimeMs?: number;
  readonly isConfirmed?: boolean;
  /** Whether a second factor was given in it. */
  readonly hasGivenFactor?: boolean;
}

/** A session as sign-in would start it, whose person has just confirmed the password. Returns the value of its cookie. */
export async function makeSession(
  db: Queryable,
  { userId, lifetimeMs = 12 * 60 * 60 * 1000, isConfirmed = true, hasGivenFactor = false }: SessionOptions,
): Promise<string> {
  const id = newSessionId();
  const expiresAt = new Date(Date.now() + lifetimeMs);
  await db
    .insertInto('sessions')
    .values({
      ...{ id_hash: hashSecret(id), user_id: userId, expires_at: expiresAt },
      password_confirmed_at: isConfirmed ? new Date() : null,
      second_factor_at: hasGivenFactor ? new Date() : null,
    })
    .execute();
  return id;
}

/** An authenticator app that everybody has who was given no other. */
export const TEST_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

interface AppOptions {
  readonly userId: string;
  readonly appKey: string;
  /** False for one that waits for its first code. */
  readonly isConfirmed?: boolean;
}

/** Gives a person the app of {@link TEST_SECRET}, in the place of any other. */
export async function makeApp(db: Queryable, { userId, appKey, isConfirmed = true }: AppOptions): Promise<void> {
  const totp = createTotp({ appKey: Buffer.from(appKey), productName: 'Wardline' });
  const sealed = totp.seal(userId, Secret.fromBase32(TEST_SECRET).bytes);
  const row = isConfirmed
    ? { secret: sealed, confirmed_at: new Date() }
    : { new_secret: sealed, new_secret_at: new Date() };
  await db.deleteFrom('totp_factors').where('user_id', '=', userId).execute();
  await db
    .insertInto('totp_factors')
    .values({ user_id: userId, ...row })
    .execute();
}

/** Gives a person a passkey that no browser made: enough to have one. */
export async function makePasskey(db: Queryable, userId: string): Promise<string> {
  const id = newId();
  await db
    .insertInto('passkeys')
    .values({ id, user_id: userId, name: 'Phone', credential_id: Buffer.from(id), public_key: Buffer.from('a key') })
    .execute();
  return id;
}

/** The code that an app shows, or that it shows so many steps later. */
export function codeOf(secret = TEST_SECRET, stepsAhead = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + stepsAhead * 30_000 });
}

interface PersonalTokenOptions {
  readonly userId: string;
  readonly abilities: readonly string[];
  /** Whether a second factor was given in the session that made it. */
  readonly hasGivenFactor?: boolean;
  readonly lifetimeMs?: number;
}

/** A personal access token as the settings would make it, or with `*` what an app gets that signs in. */
export async function makePersonalToken(
  db: Queryable,
  { userId, abilities, hasGivenFactor = true, lifetimeMs = 3_600_000 }: PersonalTokenOptions,
): Promise<{ id: string; token: string }> {
  const [id, token] = [newId(), newToken()];
  await db
    .insertInto('access_tokens')
    .values({
      ...{ id, user_id: userId, name: 'Bed board', token_hash: hashSecret(token), abilities: [...abilities] },
      expires_at: new Date(Date.now() + lifetimeMs),
      second_factor_at: hasGivenFactor ? new Date() : null,
    })
    .execute();
  return { id, token };
}
