import { createHash, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '#/platform/config/read-config.ts';

const FILE = 'folder-id';

/**
 * Eight digits that are the same at each server that keeps files in this place; null where it cannot be told. Two paths may lead to one
 * folder, and two addresses to one bucket: a folder is known by a file in it, a bucket by its name.
 */
export function printOfFiles({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): string | null {
  if (s3 !== null) return createHash('sha256').update(`${s3.bucket}/${s3.prefix}`).digest('hex').slice(0, 8);
  const folder = path.join(dataDir, 'files');
  const place = path.join(folder, FILE);
  const draft = `${place}.${randomBytes(6).toString('hex')}.draft`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${randomBytes(4).toString('hex')}\n`, { mode: 0o600 });
    // Of two servers that begin together one names the folder, and neither reads half a name.
    linkSync(draft, place);
  } catch {
    // It has a name already, or takes no file.
  }
  try {
    rmSync(draft, { force: true });
    return /^[0-9a-f]{8}$/m.exec(readFileSync(place, 'utf8'))?.[0] ?? null;
  } catch {
    return null;
  }
}
