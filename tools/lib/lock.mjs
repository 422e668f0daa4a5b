import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './paths.mjs';
import { say } from './say.mjs';

const BEAT_MS = 1000;
const DEAD_AFTER_MS = 15_000;

/**
 * Only one process at a time does the work in this folder; another waits for it. The file lies outside node_modules,
 * which an install empties. A killed holder is noticed by its pid or, when that is another process by now, by its
 * silence: a holder touches its file each second.
 */
export async function withLock(name, work) {
  const key = createHash('sha256')
    .update(`${root} ${process.getuid?.() ?? ''}`)
    .digest('hex')
    .slice(0, 16);
  const path = join(tmpdir(), `wardline-${name}-${key}.lock`);
  let told = false;
  while (!take(path)) {
    if (!told) say(`Waiting for another ${name} in this folder to end …`);
    told = true;
    await sleep(300);
  }
  const beat = setInterval(() => touch(path), BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    rmSync(path, { force: true });
  }
}

function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  try {
    const silentMs = Date.now() - statSync(path).mtimeMs;
    if (silentMs > DEAD_AFTER_MS || isGone(Number(readFileSync(path, 'utf8')))) rmSync(path, { force: true });
  } catch {
    // It ended in this moment.
  }
  return false;
}

function isGone(pid) {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // pid 0, of a file that is just being written, is this process's own group and never gone.
    return error.code === 'ESRCH';
  }
}

function touch(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // The machine slept and somebody took the lock for dead: the work is nearly done, go on.
  }
}
