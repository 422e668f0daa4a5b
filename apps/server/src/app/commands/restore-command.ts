import path from 'node:path';
import { type KeyRing, readBackupKeys } from '#/app/backup/backup-key.ts';
import { checkBackup, type Restored, restoreBackup } from '#/app/backup/restore-backup.ts';
import type { Walked } from '#/app/backup/walk-backup.ts';
import { claimDataFolder } from '#/app/start/claim-data-folder.ts';
import { openAsOwner } from '#/app/start/open-as-owner.ts';
import { openFileStore } from '#/app/start/open-file-store.ts';
import { SCHEMA } from '#/app/start/places.ts';
import { sealEntries } from '#/features/audit/index.ts';
import type { Config } from '#/platform/config/read-config.ts';
import { noteBackup } from '#/platform/db/backups.ts';
import type { Log } from '#/platform/log.ts';
import { verify } from './audit-command.ts';
import { countsOf, formatFaults, formatWalked } from './backup-command.ts';
import { untilTold } from './until-told.ts';
import { refuseMore, UsageError } from './usage-error.ts';

export const USAGE = `npm run restore -- FILE                   puts a backup into an empty database and an empty store of files, of the settings
npm run restore -- FILE --check           reads all of it and says whether it is whole; writes nothing
npm run restore -- FILE --other-app-key   goes on with another app key than that of the backup, which is lost`;

/** Restores or checks a backup. Resolves to the exit code: 1 where it is back, and its audit is not whole. */
export async function runRestoreCommand(args: readonly string[], config: Config, log: Log): Promise<number> {
  const [file, flag, ...rest] = args;
  if (file === undefined || file.startsWith('-')) throw new UsageError('Say first which file.', USAGE);
  if (flag !== undefined && flag !== '--check' && flag !== '--other-app-key') refuseMore([flag], USAGE);
  refuseMore(rest, USAGE);
  const { keys } = readBackupKeys(config, false);
  const say = (...lines: string[]) => void process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  const stopped = `It was told to stop before its end: ${flag === '--check' ? 'nothing is known of the backup' : 'nothing was restored'}.`;
  return untilTold(stopped, (signal) => {
    const order = { config, log, keys, say, takesOtherAppKey: flag === '--other-app-key', signal };
    return flag === '--check' ? check(path.resolve(file), order) : checkAndRestore(path.resolve(file), order);
  });
}

interface Order {
  readonly config: Config;
  readonly log: Log;
  readonly keys: KeyRing;
  readonly takesOtherAppKey: boolean;
  readonly signal: AbortSignal;
  readonly say: (...lines: string[]) => void;
}

/** Reads all of it and says what it is. */
async function look(file: string, { keys, say, signal }: Order): Promise<Walked> {
  const checked = await checkBackup(file, { keys, schema: SCHEMA, signal });
  say(`Made ${checked.about.made_at} by Wardline ${checked.about.version}: ${formatWalked(checked)}. It is whole.`);
  return checked;
}

async function check(file: string, order: Order): Promise<number> {
  order.say(...formatFaults(await look(file, order)));
  return 0;
}

async function checkAndRestore(file: string, order: Order): Promise<number> {
  const { databaseUrl, dataDir } = order.config;
  const checked = await look(file, order);
  const letGo = databaseUrl === null ? await claimDataFolder(dataDir) : () => undefined;
  try {
    return await restore(file, checked, order);
  } finally {
    letGo();
  }
}

async function restore(
  file: string,
  checked: Walked,
  { config, log, keys, takesOtherAppKey, say, signal }: Order,
): Promise<number> {
  const { appKey, dataDir } = config;
  const { db, connectionString, close } = await openAsOwner(config, log);
  try {
    const files = await openFileStore(config, log);
    const restored = await restoreBackup(file, checked, {
      ...{ connectionString, files, schema: SCHEMA, keys, appKey, dataDir, takesOtherAppKey, signal },
    });
    await noteBackup(db, 'backup.restore', { made_at: restored.about.made_at, ...countsOf(restored) });
    say(...formatRestored(restored));
    // An end that another key has signed is not gone on from.
    await sealEntries(db, Buffer.from(restored.appKey)).catch(() => 0);
    const audit = await verify(db, { appKey: Buffer.from(restored.appKey) });
    say(...audit.lines);
    return audit.code;
  } finally {
    await close();
  }
}

function formatRestored(restored: Restored): string[] {
  const { migrated, leftOut } = restored;
  return [
    'Everything is back, and was compared with the backup row by row and file by file.',
    ...formatFaults(restored),
    ...leftOut.map((name) => `Table ${name} is none of Wardline's and was left out.`),
    ...(migrated.length === 0 ? [] : [`It was brought forward to this build: ${migrated.join(', ')}.`]),
    'Everybody signs in again; tokens of programs and directories hold as they did then.',
  ];
}
