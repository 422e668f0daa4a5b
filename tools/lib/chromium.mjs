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
  await (isDebianAsRoot() ? installByApt() : installByDriver());
  const installed = findChromium();
  if (installed) return { path: installed };
  return { problem: 'No Chromium was found or could be installed. Install one and name it in CHROMIUM_PATH.' };
}

function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...(process.platform === 'darwin' ? ON_MACOS : []), ...inDriverCache()].find(isExecutable);
}

/** Newest first. The headless shell is left out: it knows no push and no install prompt. */
function inDriverCache() {
  const caches = { darwin: join(homedir(), 'Library', 'Caches', 'ms-playwright') };
  const fallback = caches[process.platform] ?? join(homedir(), '.cache', 'ms-playwright');
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH ?? fallback;
  if (!existsSync(cache)) return [];
  const versions = readdirSync(cache).filter((name) => /^chromium-\d+$/.test(name));
  versions.sort((a, b) => Number(b.slice(9)) - Number(a.slice(9)));
  const inside = [
    ['chrome-linux', 'chrome'],
    ['chrome-linux64', 'chrome'],
    ['chrome-mac', 'Chromium.app', 'Contents', 'MacOS', 'Chromium'],
    ['chrome-mac-arm64', 'Google Chrome for Testing.app', 'Contents', 'MacOS', 'Google Chrome for Testing'],
  ];
  return versions.flatMap((version) => inside.map((parts) => join(cache, version, ...parts)));
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

async function installByApt() {
  say('Installing Chromium with apt …');
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-q'], { env, echo: '[apt]' });
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], { env, echo: '[apt]' });
}

async function installByDriver() {
  say('Installing Chromium with the browser driver …');
  await runLocal('playwright', ['install', 'chromium'], { echo: '[playwright]' });
}
