import { randomBytes } from 'node:crypto';
import { counted } from '@wardline/format/counts.ts';
import { readAppKey } from '#/app/start/app-key.ts';
import { openInstallation } from '#/app/start/open-as-owner.ts';
import {
  createLinks,
  createPasswords,
  type FactorReset,
  type HandedResetLink,
  makeOperator,
  makeResetLink,
  type NewOperator,
  resetSecondFactors,
} from '#/features/auth/index.ts';
import type { Config } from '#/platform/config/read-config.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import type { Log } from '#/platform/log.ts';
import { readVerb, refuseMore, UsageError } from './usage-error.ts';

export const USAGE = `npm run accounts -- reset-second-factors EMAIL   for whom has lost the phone and the recovery codes: removes the
                                                authenticator app, passkeys and recovery codes, ends every session, and
                                                tells them by mail. Make sure first that it is them.
npm run accounts -- reset-link EMAIL             a link for a new password, to hand over where no mail arrives. It holds for
                                                half an hour and opens the account: hand it to nobody else.
npm run accounts -- add-operator EMAIL           makes somebody who has an account a system administrator, where the last
                                                one has left`;

const VERBS = ['reset-second-factors', 'reset-link', 'add-operator'] as const;

/** The operator's commands over accounts, also while the server runs. Resolves to the exit code: 1 where nothing was done. */
export async function runAccountsCommand(args: readonly string[], config: Config, log: Log): Promise<number> {
  const [given, email, ...rest] = args;
  const verb = readVerb(given, VERBS, USAGE);
  if (email === undefined) throw new UsageError('Whose? Give the address of their account.', USAGE);
  refuseMore(rest, USAGE);
  const { db, close } = await openInstallation(config, log);
  try {
    const appKey = Buffer.from(await readAppKey(config, db));
    const write = createJobWrite({ db, log, jobId: 'npm run accounts' });
    const said = await run(verb, { write, email, appKey, config });
    process.stdout.write(`${said.lines.join('\n')}\n`);
    return said.code;
  } finally {
    await close();
  }
}

interface Order {
  readonly write: ReturnType<typeof createJobWrite>;
  readonly email: string;
  readonly appKey: Buffer;
  readonly config: Config;
}

interface Said {
  readonly lines: readonly string[];
  readonly code: number;
}

async function run(verb: (typeof VERBS)[number], { write, email, appKey, config }: Order): Promise<Said> {
  if (verb === 'add-operator') return formatOperator(email, await makeOperator(write, email));
  if (verb === 'reset-link') {
    const links = createLinks(appKey, () => config.publicUrl ?? `http://${config.host}:${config.port}`);
    return formatLink(email, await makeResetLink(write, { email, links }));
  }
  const unusableHash = await createPasswords(appKey).hash(randomBytes(32).toString('base64url'));
  const reset = await resetSecondFactors(write, { email, unusableHash });
  return { lines: formatReset(email, reset), code: reset === null ? 1 : 0 };
}

const done = (...lines: string[]): Said => ({ lines, code: 0 });
const nothingDone = (line: string): Said => ({ lines: [`${line} Nothing was changed.`], code: 1 });
const unknown = (email: string) => `Nobody has the address ${email}.`;
const disabled = (name: string) => `The account of ${name} is disabled: a system administrator enables it.`;

export function formatOperator(email: string, made: NewOperator | null): Said {
  if (made === null) return nothingDone(unknown(email));
  if (made.isDisabled) return nothingDone(disabled(made.name));
  if (made.wasOperator) return done(`${made.name} is a system administrator already. Nothing was changed.`);
  return done(`${made.name} is a system administrator now, and finds it with the next page. They are told by mail.`);
}

export function formatLink(email: string, handed: HandedResetLink | null): Said {
  if (handed === null) return nothingDone(unknown(email));
  if (handed.isDisabled) return nothingDone(disabled(handed.name));
  if (handed.link === null) return nothingDone('Three links were asked for within the hour. Wait, or use the newest.');
  return done(`With this link ${handed.name} sets a new password, once and within half an hour:`, `  ${handed.link}`);
}

export function formatReset(email: string, reset: FactorReset | null): string[] {
  if (reset === null) return [`${unknown(email)} Nothing was changed.`];
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
