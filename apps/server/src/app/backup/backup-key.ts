import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '#/platform/config/read-config.ts';
import { BackupError } from './backup-error.ts';

/** The first seals what is made now; the others open what was made before there was a newer one. */
export type KeyRing = readonly [string, ...string[]];

export interface BackupKeys {
  readonly keys: KeyRing;
  /** Where the first was made just now; null where it was there. */
  readonly madeAt: string | null;
}

const LEAST_LENGTH = 32;

/** Beside the data folder, never in it: whoever takes the folder away has no key to what was backed up before. */
export function backupKeyPath(dataDir: string): string {
  return `${path.resolve(dataDir)}-backup.key`;
}

/** The configured keys, one a line, else those of the file beside the data folder; where `makes`, one is made there the first time. */
export function readBackupKeys(config: Pick<Config, 'backupKey' | 'dataDir'>, makes: boolean): BackupKeys {
  if (config.backupKey !== null) return { keys: ringOf(config.backupKey, 'WARDLINE_BACKUP_KEY'), madeAt: null };
  const place = backupKeyPath(config.dataDir);
  if (existsSync(place)) return { keys: readKeys(place), madeAt: null };
  if (!makes) {
    throw new BackupError(
      `No key: ${place} is missing, and neither WARDLINE_BACKUP_KEY nor WARDLINE_BACKUP_KEY_FILE is set.\n` +
        'Put the key there that the first backup made (mode 600), or name its file. Without it no backup can be opened.',
    );
  }
  try {
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return { keys: readKeys(place), madeAt: null };
    throw new BackupError(
      `The key of the backups cannot be made at ${place} (${String((error as NodeJS.ErrnoException).code)}).\n` +
        'Make one elsewhere, and name it by WARDLINE_BACKUP_KEY_FILE: (umask 077; openssl rand -base64 32 > FILE)',
    );
  }
  return { keys: readKeys(place), madeAt: place };
}

function readKeys(place: string): KeyRing {
  try {
    accessSync(place, constants.R_OK);
  } catch (error) {
    throw new BackupError(
      `The key ${place} cannot be read (${String((error as NodeJS.ErrnoException).code)}). Give it to the user that Wardline runs as: chown USER '${place}'.`,
    );
  }
  const mode = statSync(place).mode & 0o777;
  if ((mode & 0o077) !== 0) {
    throw new BackupError(
      `The key ${place} is readable by others (mode ${mode.toString(8)}). Run: chmod 600 '${place}'. If the machine has other ` +
        'users, begin with a new key: move this one away, and keep it for the backups that were made with it.',
    );
  }
  return ringOf(readFileSync(place, 'utf8'), place);
}

function ringOf(text: string, place: string): KeyRing {
  const [newest = '', ...older] = text.split('\n').flatMap((line) => line.trim() || []);
  const short = [newest, ...older].findIndex((key) => key.length < LEAST_LENGTH);
  if (short === -1) return [newest, ...older];
  throw new BackupError(
    `Key ${short + 1} of ${place} is empty or too short: each stands on a line of its own, with ${LEAST_LENGTH} characters or more. ` +
      'Restore it from where you keep a copy.',
  );
}
