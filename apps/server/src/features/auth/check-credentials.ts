import { createHmac } from 'node:crypto';
import type { Actor } from '#/platform/authorise/actor.ts';
import type { RequestContext } from '#/platform/context.ts';
import type { AppError } from '#/platform/http/app-error.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import { deriveKey } from './derive-key.ts';
import type { Passwords } from './passwords.ts';
import { type Account, findAccount, lockAccount, replacePasswordHash } from './queries.ts';
import type { SignInLimits } from './rate-limits.ts';

type Transaction = Parameters<Parameters<RequestContext['write']>[1]>[0];

export interface CredentialCheck {
  readonly appKey: Buffer;
  readonly limits: SignInLimits;
  readonly passwords: Passwords;
}

export interface CheckedAccount {
  readonly userId: string;
  /** Called first in the transaction that acts on the check: makes sure that it still holds. */
  confirm(tx: Transaction): Promise<void>;
}

/** The one answer to a wrong password, an unknown address and a disabled account. */
function refused(): AppError {
  return invalidField('email', 'These credentials do not match our records.');
}

/** Limits first, then the password; a refusal is audited with the address as an HMAC only. */
export async function checkCredentials(
  { appKey, limits, passwords }: CredentialCheck,
  ctx: Pick<RequestContext<Actor | null>, 'db' | 'http' | 'write'>,
  given: { readonly email: string; readonly password: string },
): Promise<CheckedAccount> {
  const succeeded = await limits.begin(given.email, ctx.http.ip);
  const account = await findAccount(ctx.db, given.email);
  const isRight = await passwords.verify(account?.password_hash ?? null, given.password);
  if (!account || !isRight) {
    const email = createHmac('sha256', deriveKey(appKey, 'audited email')).update(given.email).digest('hex');
    await ctx.write('session.refused', async () => ({ result: undefined, audit: { detail: { email_hmac: email } } }));
    throw refused();
  }
  await succeeded();
  const newHash = passwords.isOutdated(account.password_hash) ? await hashAgain(passwords, given.password) : null;
  return { userId: account.id, confirm: (tx) => confirm(tx, account, newHash) };
}

/** Null when all hashing places are taken: the next sign-in does it. */
function hashAgain(passwords: Passwords, password: string): Promise<string | null> {
  return passwords.hash(password).catch(() => null);
}

async function confirm(tx: Transaction, account: Account, newHash: string | null): Promise<void> {
  if (!(await lockAccount(tx, account))) throw refused();
  if (newHash !== null) await replacePasswordHash(tx, account.id, newHash);
}
