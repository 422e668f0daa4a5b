import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot, root } from './paths.mjs';

const NEVER = new Set(['node_modules', 'dist', 'data', '.git', 'screens', 'test-results', 'playwright-report']);

/** Every file of ours, as a path from the root: what git knows or would add; without git, what lies there. */
export function ourFiles() {
  try {
    const options = { cwd: root, encoding: 'utf8', maxBuffer: 64_000_000, stdio: ['ignore', 'pipe', 'ignore'] };
    const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], options);
    // A file deleted but not yet committed is still in git's list.
    return [...new Set(list.split('\0'))].filter((file) => file && existsSync(inRoot(file))).sort();
  } catch {
    return walk('').sort();
  }
}

function walk(folder) {
  return readdirSync(inRoot(folder), { withFileTypes: true }).flatMap((entry) => {
    if (NEVER.has(entry.name)) return [];
    const path = folder ? join(folder, entry.name) : entry.name;
    return entry.isDirectory() ? walk(path) : [path];
  });
}
