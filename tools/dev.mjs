/** npm run dev: the server, built and started anew with every change, and the web client with hot replacement, side by side. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { checkNodeVersion } from './lib/node-version.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { local } from './lib/run.mjs';
import { bold, say } from './lib/say.mjs';

checkNodeVersion();
await ensureInstalled();
// The server serves the built client too, and has to be there before it can be watched.
await ensureBuilt();

const server = inRoot('apps', 'server');
const programs = [
  ['build ', local('vite'), ['build', '--watch', '--logLevel', 'warn', '--emptyOutDir', 'false'], server],
  ['server', [process.execPath, '--watch'], ['--watch-preserve-output', 'apps/server/dist/main.js', '--demo'], root],
  ['web   ', local('vite'), ['dev', '--clearScreen=false'], inRoot('apps', 'web')],
];

const running = programs.map(([name, [node, script], args, cwd]) => {
  const child = spawn(node, [script, ...args], { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => say(`${bold(name)} ${line}`));
  }
  return { child, ended: new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 0))) };
});

let stopping = false;
function stop(signal) {
  if (stopping) return;
  stopping = true;
  for (const { child } of running) child.kill(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

// One alone is of little use: when one ends, the other is ended as well.
const first = await Promise.race(running.map(({ ended }) => ended));
stop('SIGTERM');
await Promise.all(running.map(({ ended }) => ended));
process.exit(first);
