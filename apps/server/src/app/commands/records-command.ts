import { readFile } from 'node:fs/promises';
import { verifyRecord } from '#/features/chat/index.ts';
import { ConfigError } from '#/platform/config/read-config.ts';
import { readVerb, refuseMore, UsageError } from './usage-error.ts';

export const USAGE = `npm run records -- verify FILE [--key PUBLIC_KEY]   names what was changed, removed or put into an exported record;
                                                    needs the file alone, and with --key trusts no other signature`;

type Verified = ReturnType<typeof verifyRecord>;

/** The command of whoever was given an archive: no database, no settings. Resolves to the exit code: 1 where something is wrong. */
export async function runRecordsCommand(args: readonly string[]): Promise<number> {
  const [verb, file, flag, key, ...rest] = args;
  readVerb(verb, ['verify'], USAGE);
  if (file === undefined) throw new UsageError('Say which file.', USAGE);
  if (flag !== undefined && flag !== '--key') refuseMore([flag], USAGE);
  if (flag !== undefined && key === undefined) throw new UsageError('--key needs the public key.', USAGE);
  refuseMore(rest, USAGE);
  const archive = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${file} cannot be read (${error.code ?? error.message}).`);
  });
  const verified = verifyRecord(archive, key ?? null);
  process.stdout.write(`${formatVerified(verified).join('\n')}\n`);
  return verified.findings.length === 0 ? 0 : 1;
}

/** What is printed of it. */
export function formatVerified({ from, files, publicKey, findings }: Verified): string[] {
  const about = from && `Exported by ${from.by}, ${from.facility}, ${from.at}; ${files} files.`;
  return [
    ...(about ? [about] : []),
    ...(publicKey ? [`Public key ${publicKey}`] : []),
    ...findings.map(({ what, name }) => `${name}: ${WORDS[what]}`),
    findings.length === 0 ? 'The record is whole.' : 'The record is NOT whole.',
  ];
}

const WORDS: Readonly<Record<Verified['findings'][number]['what'], string>> = {
  'no archive': 'is not there or cannot be read: this is no exported record.',
  damaged: 'was not as it had been stored when the record was exported.',
  changed: 'was changed.',
  removed: 'was removed.',
  added: 'was put in.',
  signature: 'is not the signature of this manifest by that key.',
  key: 'names another key than the one you gave.',
};
