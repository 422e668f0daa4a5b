import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { formatBytes } from '@wardline/format/bytes.ts';
import { counted } from '@wardline/format/counts.ts';
import { BackupError } from '#/app/backup/backup-error.ts';
import { type KeyRing, readBackupKeys } from '#/app/backup/backup-key.ts';
import { datedName, removeOldBackups } from '#/app/backup/dated-backups.ts';
import { makeBackup } from '#/app/backup/make-backup.ts';
import type { Walked } from '#/app/backup/walk-backup.ts';
import { readAppKey } from '#/app/start/app-key.ts';
import { assertNamesDatabase, openInstallation } from '#/app/start/open-as-owner.ts';
import { openFileStore } from '#/app/start/open-file-store.ts';
import type { Config } from '#/platform/config/read-config.ts';
import { noteBackup, readLastBackup } from '#/platform/db/backups.ts';
import type { Log } from '#/platform/log.ts';
import { untilTold } from './until-told.ts';
import { refuseMore, UsageError } from './usage-error.ts';

export const USAGE = `npm run backup -- FILE               keeps database and files in a new file, encrypted; the server may run meanwhile
npm run backup -- FOLDER [--keep N]  the same with the time in its name; then removes the oldest beyond the newest N`;

/** Makes a backup. Resolves to the exit code: 1 where a file that the database names was lost before. */
export async function runBackupCommand(args: readonly string[], config: Config, log: Log): Promise<number> {
  const { target, keep } = readTarget(args, config);
  assertNamesDatabase(config, 'There is nothing to back up');
  const { keys, madeAt } = readBackupKeys(config, true);
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  if (madeAt !== null) {
    say(`The key of the backups was made: ${madeAt}`);
    say('Keep a copy of it on another machine: without it no backup can be opened, and with it anybody can.');
  }
  const stopped = 'It was told to stop before its end: no backup was made.';
  return untilTold(stopped, (signal) =>
    backUp(target, { config, log, keys, isNewKey: madeAt !== null, keep, say, signal }),
  );
}

interface Order {
  readonly config: Config;
  readonly log: Log;
  readonly keys: KeyRing;
  /** Made just now. */
  readonly isNewKey: boolean;
  readonly keep: number | null;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

async function backUp(target: string, { config, log, keys, isNewKey, keep, say, signal }: Order): Promise<number> {
  const { db, connectionString, close } = await openInstallation(config, log);
  try {
    if (isNewKey && (await readLastBackup(db)) !== null)
      say('Backups that were made before need the key of then: put it below this one, for as long as you keep them.');
    const appKey = await readAppKey(config, db);
    const files = await openFileStore(config, log);
    const deps = { connectionString, files, keys, appKey, keepsAppKey: config.appKey === null, signal };
    const walked = await makeBackup(deps, target);
    await noteBackup(db, 'backup.make', countsOf(walked));
    say(`${target}: ${formatWalked(walked)}. It was read back and is whole.`);
    if (keep !== null) {
      for (const name of await removeOldBackups(path.dirname(target), keep)) say(`${name} was removed.`);
    }
    for (const line of formatFaults(walked)) say(line);
    return walked.manifest.faults.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

function readTarget(
  args: readonly string[],
  { dataDir }: Config,
): { readonly target: string; readonly keep: number | null } {
  const [place, flag, number, ...rest] = args;
  if (place === undefined || place.startsWith('-')) throw new UsageError('Say first where the backup goes.', USAGE);
  if (flag !== undefined && flag !== '--keep') refuseMore([flag], USAGE);
  if (flag !== undefined && !/^[1-9]\d{0,3}$/.test(number ?? '')) {
    throw new UsageError('--keep needs how many backups are kept: 1 to 9999.', USAGE);
  }
  refuseMore(rest, USAGE);
  const given = path.resolve(place);
  const isFolder = existsSync(given) && statSync(given).isDirectory();
  if (flag !== undefined && !isFolder) throw new UsageError(`--keep needs a folder, and ${given} is none.`, USAGE);
  if (!isFolder && /[/\\]$/.test(place))
    throw new BackupError(`There is no folder ${given}. Make it, or mount its disk.`);
  const target = isFolder ? path.join(given, datedName(new Date())) : given;
  if (existsSync(target)) throw new BackupError(`${target} is there already. A backup never replaces a file.`);
  if (liesIn(dataDir, target)) {
    throw new BackupError(
      `${target} lies in the data folder, and would be lost with it. Take another disk or machine.`,
    );
  }
  return { target, keep: flag === undefined ? null : Number(number) };
}

/** Also by way of a symbolic link. */
function liesIn(dataDir: string, target: string): boolean {
  const real = (folder: string) => (existsSync(folder) ? realpathSync(folder) : folder);
  const way = path.relative(real(dataDir), real(path.dirname(target)));
  return way.split(path.sep)[0] !== '..' && !path.isAbsolute(way);
}

/** For the audit: how much, and of nobody what. */
export function countsOf({ manifest, bytes }: Walked) {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const { tables, files, faults } = manifest;
  return { tables: tables.length, rows, files: files.count, file_bytes: files.bytes, bytes, lost_files: faults.length };
}

export function formatWalked(walked: Walked): string {
  const { tables, rows, files, file_bytes, bytes } = countsOf(walked);
  return `${counted(tables, 'table')} with ${counted(rows, 'row')} and ${counted(files, 'file')}${files === 0 ? '' : ` of ${formatBytes(file_bytes)}`}, in ${formatBytes(bytes)}`;
}

export function formatFaults({ manifest }: Walked): string[] {
  return manifest.faults.map(({ name, what }) =>
    what === 'missing'
      ? `${name}: the database names it, and it is not there.`
      : `${name}: is not as it was stored; it is in the backup as it is.`,
  );
}
