import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The arguments a live process was started with; null when it is gone, a zombie, or not ours to look at. */
export function commandLine(pid: number): string[] | null {
  if (process.platform === 'linux') {
    const raw = readOrNull(`/proc/${pid}/cmdline`);
    return raw ? raw.replace(/\0$/, '').split('\0') : null;
  }
  const line = ps(pid, 'command=');
  return line ? [line] : null;
}

/** A value that differs between two processes that had the same pid one after the other. */
export function processBirth(pid: number): string | null {
  if (process.platform !== 'linux') return ps(pid, 'lstart=');
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (!stat) return null;
  // The second field is the program's name in brackets and may hold spaces; count from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? null : (fields[19] ?? null);
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function ps(pid: number, column: string): string | null {
  try {
    const args = ['-ww', '-o', column, '-p', String(pid)];
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() || null;
  } catch {
    return null;
  }
}
