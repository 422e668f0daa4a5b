import { createPasswords, type PasswordCost } from '#/features/auth/index.ts';
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

/** A session as sign-in would start it. Returns the value of its cookie. */
export async function makeSession(
  db: Queryable,
  { userId, lifetimeMs = 12 * 60 * 60 * 1000 }: { userId: string; lifetimeMs?: number },
): Promise<string> {
  const id = newSessionId();
  const expiresAt = new Date(Date.now() + lifetimeMs);
  await db
    .insertInto('sessions')
    .values({ id_hash: hashSecret(id), user_id: userId, expires_at: expiresAt })
    .execute();
  return id;
}
