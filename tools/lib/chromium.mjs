import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { run, runLocal } from './run.mjs';
import { say } from './say.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const ON_MACOS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of a Chromium, installed if need be; or { problem } with what a person should do. */
export async function findOrInstallChromium() {
  const wanted = process.env.CHROMIUM_PATH;
  if (wanted) {
    return isExecutable(wanted) ? { path: wanted } : { problem: `CHROMIUM_PATH names no program: ${wanted}` };
  }
  const found = findChromium();
  if (found) return { path: found };
  await (isDebianAsRoot() ? installByApt('chromium') : installByDriver());
  const installed = findChromium();
  if (installed) return { path: installed };
  return { problem: 'No Chromium was found or could be installed. Install one and name it in CHROMIUM_PATH.' };
}

/**
 * The path of Chromium's headless shell: the same engine without the windows of a browser, which takes a fifth to a third less of the
 * processors for a journey. Null where there is none and none can be had, or CHROMIUM_PATH says what to test with.
 */
export async function findOrInstallHeadlessShell() {
  if (process.env.CHROMIUM_PATH) return null;
  const found = findHeadlessShell();
  if (found || !isDebianAsRoot()) return found ?? null;
  await installByApt('chromium-headless-shell');
  return findHeadlessShell() ?? null;
}

function findChromium() {
  return [...onPath(NAMES), ...(process.platform === 'darwin' ? ON_MACOS : []), ...inDriverCache()].find(isExecutable);
}

function findHeadlessShell() {
  const inside = [
    ['chrome-linux', 'headless_shell'],
    ['chrome-headless-shell-linux64', 'chrome-headless-shell'],
  ];
  const inCache = driverFolders(/^chromium_headless_shell-(\d+)$/).flatMap((folder) =>
    inside.map((parts) => join(folder, ...parts)),
  );
  return [...onPath(['chromium-headless-shell']), ...inCache].find(isExecutable);
}

function onPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** The headless shell is left out: it knows no push and no install prompt. */
function inDriverCache() {
  const inside = [
    ['chrome-linux', 'chrome'],
    ['chrome-linux64', 'chrome'],
    ['chrome-mac', 'Chromium.app', 'Contents', 'MacOS', 'Chromium'],
    ['chrome-mac-arm64', 'Google Chrome for Testing.app', 'Contents', 'MacOS', 'Google Chrome for Testing'],
  ];
  return driverFolders(/^chromium-(\d+)$/).flatMap((folder) => inside.map((parts) => join(folder, ...parts)));
}

/** What the browser driver has installed under such names, newest first. */
function driverFolders(named) {
  const caches = { darwin: join(homedir(), 'Library', 'Caches', 'ms-playwright') };
  const fallback = caches[process.platform] ?? join(homedir(), '.cache', 'ms-playwright');
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH ?? fallback;
  if (!existsSync(cache)) return [];
  const versionOf = (name) => Number(named.exec(name)?.[1]);
  const names = readdirSync(cache).filter((name) => named.test(name));
  return names.sort((a, b) => versionOf(b) - versionOf(a)).map((name) => join(cache, name));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const isDebianAsRoot = () => existsSync('/etc/debian_version') && process.getuid?.() === 0;

async function installByApt(name) {
  say(`Installing ${name} with apt …`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-q'], { env, echo: '[apt]' });
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], { env, echo: '[apt]' });
}

async function installByDriver() {
  say('Installing Chromium with the browser driver …');
  await runLocal('playwright', ['install', 'chromium'], { echo: '[playwright]' });
}
