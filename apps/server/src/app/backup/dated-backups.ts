import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

const DATED = /^wardline-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/;
const DRAFT = /^\.wardline-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup\.[0-9a-f]{8}\.draft$/;
/** One that is being written changes all the time. */
const DEAD_MS = 6 * 60 * 60_000;

/** The name of a backup in a folder, which sorts by time. */
export function datedName(now: Date): string {
  return `wardline-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`;
}

/**
 * Removes the oldest of the dated backups of a folder beyond as many as are kept, and what runs that were killed left behind. Nothing
 * else in the folder is touched. Resolves to the names of the backups that went.
 */
export async function removeOldBackups(folder: string, keep: number, now = Date.now()): Promise<string[]> {
  const names = await readdir(folder);
  const old = names.filter((name) => DATED.test(name)).sort();
  const gone = old.slice(0, Math.max(0, old.length - keep));
  for (const name of gone) await rm(path.join(folder, name), { force: true });
  for (const name of names.filter((draft) => DRAFT.test(draft))) {
    const found = await stat(path.join(folder, name)).catch(() => null);
    if (found && now - found.mtimeMs > DEAD_MS) await rm(path.join(folder, name), { force: true });
  }
  return gone;
}
