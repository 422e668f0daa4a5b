/**
 * npm run dev: the server, built and started again with every change, and the web client with hot replacement, side by side.
 * PORT is the server's port; the client's dev server passes the API on to it. PostgreSQL is kept by this process, so that a
 * restart of the server finds it running.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { register } from 'tsx/esm/api';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { checkNodeVersion } from './lib/node-version.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { local } from './lib/run.mjs';
import { bold, fail, say } from './lib/say.mjs';

checkNodeVersion();
await ensureInstalled();
// The watched build writes into the same folder; the client is served by its dev server and need not be built.
await ensureBuilt(['server']);

const env = { ...process.env, PORT: String(await firstFreePort(Number(process.env.PORT ?? 8080))) };
const postgres = process.env.DATABASE_URL ? null : await startPostgres();

const server = inRoot('apps', 'server');
const programs = [
  ['build ', local('vite'), ['build', '--watch', '--logLevel', 'warn', '--emptyOutDir', 'false'], server],
  [
    'server',
    [process.execPath, '--watch'],
    ['--watch-preserve-output', 'apps/server/dist/main.js', '--demo', '--api-only'],
    root,
  ],
  ['web   ', local('vite'), ['dev', '--clearScreen=false'], inRoot('apps', 'web')],
];

const running = programs.map(([name, [node, script], args, cwd]) => {
  const child = spawn(node, [script, ...args], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
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

// One alone is of little use: when one ends, the others are ended as well.
const first = await Promise.race(running.map(({ ended }) => ended));
stop('SIGTERM');
await Promise.all(running.map(({ ended }) => ended));
await postgres?.stop();
process.exit(first);

async function startPostgres() {
  register({ tsconfig: inRoot('apps', 'server', 'tsconfig.json') });
  const module = inRoot('apps', 'server', 'src', 'platform', 'postgres', 'embedded.ts');
  const { startEmbeddedPostgres } = await import(pathToFileURL(module).href);
  const log = Object.fromEntries(['debug', 'info', 'warn', 'error'].map((level) => [level, () => {}]));
  return startEmbeddedPostgres({ dataDir: process.env.WARDLINE_DATA ?? inRoot('data'), log });
}

async function firstFreePort(port) {
  for (let candidate = port; candidate < port + 20; candidate += 1) if (await isFree(candidate)) return candidate;
  return fail(`No port from ${port} to ${port + 19} is free.`);
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
