import { randomBytes } from 'node:crypto';
import { counted } from '@wardline/format/counts.ts';
import { readAppKey } from '#/app/start/app-key.ts';
import { openInstallation } from '#/app/start/open-as-owner.ts';
import { createPasswords, type FactorReset, resetSecondFactors } from '#/features/auth/index.ts';
import type { Config } from '#/platform/config/read-config.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import type { Log } from '#/platform/log.ts';
import { readVerb, refuseMore, UsageError } from './usage-error.ts';

export const USAGE = `npm run accounts -- reset-second-factors EMAIL   for whom has lost the phone and the recovery codes: removes the
                                                authenticator app, passkeys and recovery codes, ends every session, and
                                                tells them by mail. Make sure first that it is them.`;

/** The operator's commands over accounts, also while the server runs. Resolves to the exit code: 1 where nobody has the address. */
export async function runAccountsCommand(args: readonly string[], config: Config, log: Log): Promise<number> {
  const [verb, email, ...rest] = args;
  readVerb(verb, ['reset-second-factors'], USAGE);
  if (email === undefined) throw new UsageError('Whose? Give the address of their account.', USAGE);
  refuseMore(rest, USAGE);
  const { db, close } = await openInstallation(config, log);
  try {
    const passwords = createPasswords(Buffer.from(await readAppKey(config, db)));
    const unusableHash = await passwords.hash(randomBytes(32).toString('base64url'));
    const write = createJobWrite({ db, log, jobId: 'npm run accounts' });
    const reset = await resetSecondFactors(write, { email, unusableHash });
    process.stdout.write(`${formatReset(email, reset).join('\n')}\n`);
    return reset === null ? 1 : 0;
  } finally {
    await close();
  }
}

export function formatReset(email: string, reset: FactorReset | null): string[] {
  if (reset === null) return [`Nobody has the address ${email}. Nothing was changed.`];
  const { name, removed } = reset;
  if (removed === null) return [`${name} has no second factor. Nothing was changed.`];
  const { hadApp, passkeys, endedSessions, losesPassword } = removed;
  return [
    `${name} has no second factor any more: ${hadApp ? 'an' : 'no'} authenticator app and ${counted(passkeys, 'passkey')} were removed.`,
    `${counted(endedSessions, 'session or token', 'sessions and tokens')} ended. They hear of it by mail, which goes out while the server runs.`,
    ...(losesPassword
      ? ['Their password is too short to stand alone: they set a new one with "Forgot password" before they sign in.']
      : []),
  ];
}
