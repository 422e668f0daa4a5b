import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { inRoot } from './paths.mjs';
import { runLocal } from './run.mjs';
import { fail, say } from './say.mjs';

/** The folders and files each app is built from; what it does not name does not cause a new build. */
const SOURCES = {
  web: ['apps/web', 'packages'],
  server: ['apps/server', 'packages'],
};
const SHARED = ['package.json', 'package-lock.json', 'tsconfig.base.json'];
const NO_SOURCE = /^(node_modules|dist|data)$|\.(test|spec)\.[cm]?[jt]sx?$|\.gen\.ts$|^\./;

export const outputOf = { web: 'apps/web/dist/index.html', server: 'apps/server/dist/main.js' };

/** Builds the apps whose sources changed since their last build; both at once. */
export async function ensureBuilt(apps = ['web', 'server']) {
  if (apps.every(isFresh)) return;
  await withLock('build', async () => {
    const stale = apps.filter((app) => !isFresh(app));
    const outcomes = await Promise.allSettled(stale.map(build));
    for (const { reason } of outcomes) if (reason) throw reason;
  });
}

export const isBuilt = (app) => existsSync(inRoot(outputOf[app]));

function isFresh(app) {
  const marker = markerOf(app);
  return isBuilt(app) && existsSync(marker) && readFileSync(marker, 'utf8') === hashOfSources(app);
}

async function build(app) {
  say(`Building apps/${app} …`);
  // Taken before the build: a change while it runs causes another one.
  const hash = hashOfSources(app);
  const { code } = await runLocal('vite', ['build', '--logLevel', 'warn'], {
    cwd: inRoot('apps', app),
    env: { NODE_ENV: 'production' },
    echo: `[build ${app}]`,
  });
  if (code !== 0) fail(`The build of apps/${app} ended with ${code}; see above.`);
  if (!isBuilt(app)) fail(`The build of apps/${app} did not write ${outputOf[app]}.`);
  writeFileSync(markerOf(app), hash);
}

const markerOf = (app) => inRoot('apps', app, 'dist', '.built-from');

function hashOfSources(app) {
  const hash = createHash('sha256');
  for (const path of [...SOURCES[app], ...SHARED]) addTo(hash, path);
  return hash.digest('hex');
}

function addTo(hash, path) {
  const entries = listOrNull(inRoot(path));
  if (entries === null) {
    hash.update(`${path}\0`).update(readFileSync(inRoot(path)));
    return;
  }
  for (const name of entries.sort()) if (!NO_SOURCE.test(name)) addTo(hash, join(path, name));
}

function listOrNull(path) {
  try {
    return readdirSync(path);
  } catch (error) {
    if (error.code === 'ENOTDIR') return null;
    throw error;
  }
}
