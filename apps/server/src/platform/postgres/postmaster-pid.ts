import { chownSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { commandLine } from './process-state.ts';

/** What a running (or killed) server wrote about itself into its cluster folder. */
export interface PostmasterPid {
  readonly pid: number;
  readonly port: number;
  /** Null where it has no Unix socket. */
  readonly socketDir: string | null;
}

// Above every pid_max, so never a process; PostgreSQL then treats the file as left behind.
const NO_PROCESS = 2_147_483_647;

function readPostmasterPid(clusterDir: string): PostmasterPid | null {
  try {
    const lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    const port = Number(lines[3]);
    const socketDir = lines[4] || null;
    return Number.isInteger(pid) && pid > 1 && Number.isInteger(port) && port > 0 ? { pid, port, socketDir } : null;
  } catch {
    return null;
  }
}

/** True only when the process is a PostgreSQL server that was started on exactly this cluster folder. */
export function isServerOf(clusterDir: string, pid: number): boolean {
  const args = commandLine(pid);
  if (args === null) return false;
  const [only] = args;
  if (args.length === 1 && only !== undefined) {
    // From `ps`: one unsplit line, and a folder with spaces cannot be told apart by words.
    return only.includes('/postgres -D ') && only.includes(`-D ${clusterDir} -c `);
  }
  return basename(args[0] ?? '') === 'postgres' && args[args.indexOf('-D') + 1] === clusterDir;
}

/** The live server of this cluster folder, or null. */
export function findLiveServer(clusterDir: string): PostmasterPid | null {
  const written = readPostmasterPid(clusterDir);
  return written !== null && isServerOf(clusterDir, written.pid) ? written : null;
}

/**
 * PostgreSQL refuses to start while the pid in its file is alive, even when a reboot or a container gave that
 * pid to another process. The file is kept and only its pid replaced: its shared memory key still guards
 * against orphan backends of the old server.
 */
export function disownStalePid(clusterDir: string): void {
  const written = readPostmasterPid(clusterDir);
  if (written === null || written.pid === NO_PROCESS || isServerOf(clusterDir, written.pid)) return;
  const path = join(clusterDir, 'postmaster.pid');
  const rest = readFileSync(path, 'utf8').split('\n').slice(1);
  const draft = `${path}.stale`;
  writeFileSync(draft, [NO_PROCESS, ...rest].join('\n'), { mode: 0o600 });
  // The server may run as another user than this process, and must be able to read and remove it.
  const { uid, gid } = statSync(path);
  if (process.getuid?.() === 0) chownSync(draft, uid, gid);
  renameSync(draft, path);
}
