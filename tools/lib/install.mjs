import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { withLock } from './lock.mjs';
import { inRoot } from './paths.mjs';
import { npmCommand, run } from './run.mjs';
import { fail, say, yellow } from './say.mjs';

const MARKER = inRoot('node_modules', '.wardline-installed');
// npm writes it at the very end of an install.
const HIDDEN_LOCK = inRoot('node_modules', '.package-lock.json');

/** Installs what is missing. Without anything to do it only reads two files, so it works offline. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await withLock('install', async () => {
    const fingerprint = wanted();
    if (isInstalled()) return;
    if (holdsWhatTheLockSays()) {
      writeFileSync(MARKER, fingerprint);
      return;
    }
    rmSync(MARKER, { force: true });
    say('Installing the packages of package-lock.json …');
    await install();
    writeFileSync(MARKER, fingerprint);
  });
}

function isInstalled() {
  return existsSync(MARKER) && readFileSync(MARKER, 'utf8') === wanted();
}

function wanted() {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', 'package.json']) hash.update(readFileSync(inRoot(file)));
  // Binary packages are of one platform: a folder carried to another machine is not installed there.
  return hash.update(`${process.platform}-${process.arch}`).digest('hex');
}

async function install() {
  // What this needs to run and build is in devDependencies; NODE_ENV=production must not leave it out.
  // `npm test --silent` hands its silence down, and what npm ci says is needed here.
  const flags = [
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=notice',
  ];
  const first = await npm(['ci', ...flags]);
  if (first.code === 0) return;
  if (!/EUSAGE|Missing: .* from lock file/.test(first.output)) fail(`npm ci ended with ${first.code}; see above.`);
  // Some registries lack the packages of other platforms, and npm then calls the lock file out of sync.
  say(yellow('npm ci calls the lock file out of sync here; npm install takes the same versions.'));
  rmSync(HIDDEN_LOCK, { force: true });
  const second = await npm(['install', '--no-save', ...flags]);
  if (second.code !== 0) fail(`npm install ended with ${second.code}; see above.`);
}

function npm(args) {
  const [program, ...before] = npmCommand();
  return run(program, [...before, ...args], { echo: 'out' });
}

/**
 * A finished install made by hand needs no second one: npm's own list is complete and each package lies there in
 * the wanted version. Packages that may be absent (other platforms) are compared only where present.
 */
function holdsWhatTheLockSays() {
  if (!existsSync(HIDDEN_LOCK)) return false;
  const { packages } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'));
  return Object.entries(packages).every(([path, entry]) => {
    if (path === '' || entry.link) return path === '' || existsSync(inRoot(path));
    if (!path.includes('node_modules/')) return true;
    const version = versionAt(path);
    return version === null ? mayBeAbsent(entry) : version === entry.version;
  });
}

/** Packages of other platforms and what only those need; not an optional one made for exactly this platform. */
function mayBeAbsent({ os, cpu, libc, optional }) {
  const isForHere = os?.includes(process.platform) && (!cpu || cpu.includes(process.arch)) && !libc;
  return Boolean(optional) && !isForHere;
}

function versionAt(path) {
  try {
    return JSON.parse(readFileSync(inRoot(path, 'package.json'), 'utf8')).version;
  } catch {
    return null;
  }
}
