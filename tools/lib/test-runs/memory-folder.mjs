import { readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

const FOLDER = '/dev/shm';
const GIB = 2 ** 30;
/** What the databases of a run take at most, and what must be left for browsers and the rest. */
const ROOM = { folder: 4 * GIB, memory: 10 * GIB };

/**
 * Where a test run makes its short-lived databases without touching the disk: 250 copies of a database of 600 files cost
 * half of what PostgreSQL does in a run. Null where the machine has no such folder, or not the room for it.
 */
export function memoryFolder() {
  if (process.env.TMPDIR || process.platform !== 'linux') return null;
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === FOLDER);
    const [, , kind, options = ''] = mount?.split(' ') ?? [];
    const { bavail, bsize } = statfsSync(FOLDER);
    const fits = bavail * bsize >= ROOM.folder && freemem() >= ROOM.memory;
    return kind === 'tmpfs' && !options.split(',').includes('noexec') && fits ? FOLDER : null;
  } catch {
    return null;
  }
}
