import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '#/platform/config/read-config.ts';
import { BackupError } from './backup-error.ts';

export interface BackupKey {
  readonly key: string;
  /** Where it was made just now; null where it was there. */
  readonly madeAt: string | null;
}

/** Beside the data folder, never in it: whoever takes the folder away has no key to what was backed up before. */
export function backupKeyPath(dataDir: string): string {
  return `${path.resolve(dataDir)}-backup.key`;
}

/** The configured key, else that of the file beside the data folder; where `makes`, made there the first time. */
export function readBackupKey(config: Pick<Config, 'backupKey' | 'dataDir'>, makes: boolean): BackupKey {
  if (config.backupKey !== null) return { key: config.backupKey, madeAt: null };
  const place = backupKeyPath(config.dataDir);
  if (existsSync(place)) return { key: readKey(place), madeAt: null };
  if (!makes) {
    throw new BackupError(
      `No key: ${place} is missing, and neither WARDLINE_BACKUP_KEY nor WARDLINE_BACKUP_KEY_FILE is set.\n` +
        'Put the key there that was printed when the first backup was made (mode 600). Without it no backup can be opened.',
    );
  }
  try {
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return { key: readKey(place), madeAt: null };
    throw new BackupError(
      `The key of the backups cannot be made at ${place} (${String((error as NodeJS.ErrnoException).code)}).\n` +
        'Make one elsewhere, and name it by WARDLINE_BACKUP_KEY_FILE: (umask 077; openssl rand -base64 32 > FILE)',
    );
  }
  return { key: readKey(place), madeAt: place };
}

function readKey(place: string): string {
  const mode = statSync(place).mode & 0o777;
  if ((mode & 0o077) !== 0) {
    throw new BackupError(
      `The key ${place} is readable by others (mode ${mode.toString(8)}). Run: chmod 600 '${place}'. If the machine has other ` +
        'users, begin with a new key: move this one away, and keep it for the backups that were made with it.',
    );
  }
  const key = readFileSync(place, 'utf8').trim();
  if (key.length < 32)
    throw new BackupError(`The key ${place} is empty or too short; restore it from where you keep a copy.`);
  return key;
}
