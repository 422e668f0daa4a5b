import { spawn } from 'node:child_process';
import { root } from './paths.mjs';
import { exitCodeOf } from './run.mjs';

const SAME_KEYPRESS_MS = 2000;

/**
 * Runs a program in the foreground until it ends and resolves to its exit code. The first signal is passed on once
 * and the program may take its time to stop; an impatient second one kills it.
 * The program has a process group of its own, because the interrupt key signals a whole group and it would be told
 * twice. Over the `ipc` channel ('disconnect') it notices when this process is killed and cannot tell it any more.
 */
export function keepRunning([program, ...args], env = {}) {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  let askedAt = null;
  const pass = (signal) => {
    if (askedAt === null) {
      askedAt = Date.now();
      child.kill(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
    } else if (Date.now() - askedAt > SAME_KEYPRESS_MS) {
      child.kill('SIGKILL');
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass);
  return new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`${error.message}\n`);
      resolve(127);
    });
    child.on('exit', (code, signal) => resolve(code ?? exitCodeOf(signal)));
  });
}
