import { readAppKey } from '#/app/start/app-key.ts';
import { openInstallation } from '#/app/start/open-as-owner.ts';
import { acceptHead, sealEntries, type Tampering, verifyChain } from '#/features/audit/index.ts';
import type { Config } from '#/platform/config/read-config.ts';
import type { Database } from '#/platform/db/database.ts';
import type { Log } from '#/platform/log.ts';
import { readVerb, refuseMore, UsageError } from './usage-error.ts';

export const USAGE = `npm run audit -- verify [--head ENTRY:HASH …]   walks the audit and names what was changed, removed or put in;
                                                --head compares with an end that was mailed
npm run audit -- accept                         goes on from where the audit ends now, after what was found was looked into`;

/** The operator's commands over the audit, also while the server runs. Resolves to the exit code: 1 where something is wrong. */
export async function runAuditCommand(args: readonly string[], config: Config, log: Log): Promise<number> {
  const [given, ...rest] = args;
  const verb = readVerb(given, ['verify', 'accept'], USAGE);
  const kept = readKept(rest);
  const { db, close } = await openInstallation(config, log);
  try {
    const appKey = Buffer.from(await readAppKey(config, db));
    const said = verb === 'verify' ? await verify(db, { appKey, kept }) : await accept(db, appKey);
    process.stdout.write(`${said.lines.join('\n')}\n`);
    return said.code;
  } finally {
    await close();
  }
}

function readKept(args: readonly string[]): { readonly seq: number; readonly hash: string }[] {
  return args.flatMap((arg, place) => {
    if (arg === '--head') return [];
    const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(arg) ?? [];
    if (args[place - 1] !== '--head') refuseMore([arg], USAGE);
    if (seq === undefined || hash === undefined) {
      throw new UsageError(`'${arg}' is no end of an audit: it is a number, a colon and 64 digits and letters.`, USAGE);
    }
    return [{ seq: Number(seq), hash }];
  });
}

interface Said {
  readonly lines: readonly string[];
  readonly code: number;
}

type VerifyOptions = Parameters<typeof verifyChain>[1];

export async function verify(db: Database, options: VerifyOptions): Promise<Said> {
  const { entries, waiting, head, tamperings } = await verifyChain(db, options);
  const lines = [
    `${entries} entries stand in the chain, ${waiting} wait for their place.`,
    `It ends at ${head.seq}:${head.hash}`,
    ...tamperings.map(toLine),
    tamperings.length === 0 ? 'The audit is whole.' : 'The audit is NOT whole.',
  ];
  return { lines, code: tamperings.length === 0 ? 0 : 1 };
}

async function accept(db: Database, appKey: Buffer): Promise<Said> {
  await db.insertInto('audit_entries').values({ action: 'audit.accept', request_id: 'npm run audit' }).execute();
  await acceptHead(db, appKey);
  const sealed = await sealEntries(db, appKey);
  return { lines: [`The audit goes on from here; ${sealed} entries found their place. This stands in it.`], code: 0 };
}

function toLine({ what, seq, entryId }: Tampering): string {
  const entry = entryId === null ? '' : ` (entry ${entryId})`;
  const place = seq === null ? `Entry ${entryId}, outside the chain` : `Place ${seq}${entry}`;
  const said: Record<Tampering['what'], string> = {
    changed: 'was changed.',
    removed: 'was removed.',
    inserted: 'was put in past the server.',
    end: 'is not the end that the server left, or that was kept outside: the chain was made anew or cut there.',
  };
  return `${place}: ${said[what]}`;
}
