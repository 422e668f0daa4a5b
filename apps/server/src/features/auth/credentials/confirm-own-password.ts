import type { Account } from '#/features/auth/account/credential-queries.ts';
import type { Database } from '#/platform/db/database.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { CredentialCheck } from './check-credentials.ts';

/** What changes how one signs in asks for the password again; a wrong one counts as a try to sign in. */
export async function confirmOwnPassword(
  { devices, limits, passwords }: CredentialCheck,
  ctx: Pick<RequestContext, 'actor' | 'db' | 'http' | 'write'>,
  password: string,
  field = 'current_password',
): Promise<Account> {
  const { userId, email } = ctx.actor;
  const device = devices.find(ctx.http.device, email);
  const attempt = await limits.begin(email, { ip: ctx.http.ip, device });
  const hash = await findPasswordHash(ctx.db, userId);
  const isRight = await passwords.verify(hash, password, { isKnownDevice: device !== null }).catch(attempt.notChecked);
  if (hash === null || !isRight) {
    const audit = { objectType: 'user', objectId: userId, outcome: 'refused' } as const;
    await ctx.write('password.refused', async () => ({ result: undefined, audit }));
    throw notYourPassword(field);
  }
  await attempt.succeeded();
  return { id: userId, password_hash: hash };
}

export function notYourPassword(field = 'current_password'): Error {
  return invalidField(field, 'This is not your password.');
}

async function findPasswordHash(db: Database, userId: string): Promise<string | null> {
  const found = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst();
  return found?.password_hash ?? null;
}
