/**
 * PERF-4: the JavaScript that a first visit loads, gzip -9, from the manifest of the built client: the entry with its
 * static imports, and the same of the route's own chunks and those of its parent routes. What the service worker
 * fetches afterwards is not part of it, but its total is said.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { ensureBuilt } from '../lib/build.mjs';
import { loadedFiles, routeChunks } from '../lib/checks/manifest.mjs';
import { inRoot } from '../lib/paths.mjs';
import { fail, say } from '../lib/say.mjs';

const DIST = inRoot('apps', 'web', 'dist');
const BUDGETS = [
  { visit: 'start page', route: '_public/index', limitKb: 130, limitFiles: 15 },
  { visit: 'sign-in', route: 'sign-in', limitKb: 130, limitFiles: 10 },
  { visit: 'chat', route: 'chat', limitKb: 200, limitFiles: 30 },
];
/** More of them are small parts that several pages share: apps/web/tools/shared-files.ts puts those together. */
const LIMIT_KEPT_FILES = 400;

await ensureBuilt(['web']);
const manifestPath = `${DIST}/.vite/manifest.json`;
if (!existsSync(manifestPath))
  fail('The client was built without a manifest: set build.manifest in apps/web/vite.config.ts.');
const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));
const html = readFileSync(`${DIST}/index.html`, 'utf8');
const scripts = [...html.matchAll(/<script[^>]+src="\/?([^"]+\.js)"/g)].map(([, file]) => file);

for (const { visit, route, limitKb, limitFiles } of BUDGETS) {
  const chunks = routeChunks(manifest, route);
  if (chunks.length === 0) {
    say(`${visit}: no chunk of a route called ${route} in the manifest`);
    process.exitCode = 1;
    continue;
  }
  const visits = chunks.map(({ name, keys }) => ({
    name,
    files: new Set([...scripts, ...loadedFiles(manifest, keys)]),
  }));
  const sizes = visits.map(({ name, files }) => ({ name, count: files.size, kb: sum([...files].map(gzipKb)) }));
  const largest = sizes.reduce((a, b) => (b.kb > a.kb ? b : a));
  const verdict = largest.kb <= limitKb && largest.count <= limitFiles ? 'within' : 'OVER';
  const size = `${largest.kb.toFixed(1)} kB in ${largest.count} files`;
  say(`${visit}: ${size}, ${verdict} ${limitKb} kB in ${limitFiles} (${largest.name})`);
  if (verdict === 'OVER') process.exitCode = 1;
}

// The plugin of the build that leaves them out once did so no more, and nothing said so.
const NAMED = /name:["'`]\w+["'`],summary:["'`][A-Z]/;
const withSentences = readdirSync(`${DIST}/assets`).filter(
  (file) => file.endsWith('.js') && NAMED.test(readFileSync(`${DIST}/assets/${file}`, 'utf8')),
);
if (withSentences.length > 0) {
  say(`sentences of endpoints that no browser reads are in ${withSentences.join(', ')}`);
  process.exitCode = 1;
}

const precached = precachedFiles();
const isFew = precached.length <= LIMIT_KEPT_FILES;
const kept = `keeps ${precached.length} files, ${sum(precached.map(sizeKb)).toFixed(0)} kB on the device`;
say(`service worker: ${kept}, ${isFew ? 'within' : 'OVER'} ${LIMIT_KEPT_FILES} files`);
if (!isFew) process.exitCode = 1;

function precachedFiles() {
  const worker = readFileSync(`${DIST}/sw.js`, 'utf8');
  return [...worker.matchAll(/["']?url["']?:\s*["'`]([^"'`]+)["'`]/g)].map(([, url]) => url.replace(/\?.*$/, ''));
}

function sizeKb(file) {
  return statSync(`${DIST}/${file}`).size / 1000;
}

function gzipKb(file) {
  return gzipSync(readFileSync(`${DIST}/${file}`), { level: 9 }).length / 1000;
}

function sum(numbers) {
  return numbers.reduce((a, b) => a + b, 0);
}
