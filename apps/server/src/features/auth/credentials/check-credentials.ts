import { auditedEmail } from '#/features/auth/account/audited-email.ts';
import { type Account, findAccount, lockAccount } from '#/features/auth/account/credential-queries.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { type AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { newId } from '#/platform/new-id.ts';
import type { KnownDevices } from './known-device.ts';
import type { Passwords } from './passwords.ts';
import type { SignInLimits } from './sign-in-limits.ts';

export interface CredentialCheck {
  readonly appKey: Buffer;
  readonly limits: SignInLimits;
  readonly devices: KnownDevices;
  readonly passwords: Passwords;
}

export interface CheckedAccount {
  readonly userId: string;
  /** Where the password was that of a registration, whose account is still to be made. */
  readonly isNew: boolean;
  /** Called first in the transaction that acts on the check: makes sure that it still holds. */
  confirm(tx: Transaction): Promise<void>;
}

/** The one answer to a wrong password, an unknown address and a disabled account. */
export function refused(): AppError {
  return invalidField('email', 'These credentials do not match our records.');
}

interface GivenCredentials {
  readonly email: string;
  readonly password: string;
  /** Whose mailed link was followed in this browser; its password counts while its address has no account. */
  readonly registration?: { readonly email: string; readonly password_hash: string } | null;
}

/** Limits first, then the password; a refusal is audited with the address as an HMAC only, and whose account it is. */
export async function checkCredentials(
  { appKey, devices, limits, passwords }: CredentialCheck,
  ctx: Pick<RequestContext<Actor | null>, 'db' | 'http' | 'write'>,
  given: GivenCredentials,
): Promise<CheckedAccount> {
  const device = devices.find(ctx.http.device, given.email);
  const attempt = await limits.begin(given.email, { ip: ctx.http.ip, device });
  ctx.http.noteQuota(attempt.quota);
  const known = await findAccount(ctx.db, given.email);
  const account = known ?? accountToBe(given);
  const isRight = await passwords
    .verify(account?.password_hash ?? null, given.password, { isKnownDevice: device !== null })
    .catch(attempt.notChecked);
  if (!account || !isRight) {
    const whose = known ? { objectType: 'user', objectId: known.id } : {};
    const audit = { ...whose, outcome: 'refused', detail: auditedEmail(appKey, given.email) } as const;
    await ctx.write('session.refused', async () => ({ result: undefined, audit }));
    throw refused();
  }
  await attempt.succeeded();
  const newHash = passwords.isOutdated(account.password_hash) ? await hashAgain(passwords, given.password) : null;
  return { userId: account.id, isNew: known === undefined, confirm: (tx) => confirm(tx, account, newHash) };
}

function accountToBe({ email, registration }: GivenCredentials): Account | undefined {
  if (registration?.email !== email) return undefined;
  return { id: newId(), password_hash: registration.password_hash };
}

/** Null when all hashing places are taken: the next sign-in does it. */
function hashAgain(passwords: Passwords, password: string): Promise<string | null> {
  return passwords.hash(password).catch(() => null);
}

async function confirm(tx: Transaction, account: Account, newHash: string | null): Promise<void> {
  if (!(await lockAccount(tx, account))) throw refused();
  if (newHash !== null) await replacePasswordHash(tx, account.id, newHash);
}

async function replacePasswordHash(tx: DatabaseTransaction, userId: string, hash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: hash }).where('id', '=', userId).execute();
}
