import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from './read-config.ts';

export function secretPath(dataDir: string, name: string): string {
  return join(dataDir, 'secrets', name);
}

export function hasSecret(dataDir: string, name: string): boolean {
  return existsSync(secretPath(dataDir, name));
}

/**
 * Reads a generated secret of the data folder, making it at first use.
 * Refuses a file that others may read: whoever could read it may have kept a copy.
 */
export function readOrMakeSecret(dataDir: string, name: string): string {
  const path = secretPath(dataDir, name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  makeOnce(path);
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) !== 0) {
    throw new ConfigError(
      `The secret ${path} is readable by others (mode ${mode.toString(8)}). Run: chmod 600 '${path}' ` +
        'and replace the secret if the machine has other users.',
    );
  }
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < 32) throw new ConfigError(`The secret ${path} is empty or too short; restore it from a backup.`);
  return secret;
}

function makeOnce(path: string): void {
  // Written aside and linked, so that no other process can ever read a half-written secret.
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
