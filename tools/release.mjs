/**
 * npm run release VERSION: writes the version everywhere, dates the changelog, and makes the bill of materials and the
 * client's package, for a person to look at, commit and tag (docs/releasing.md).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ourFiles } from './lib/files.mjs';
import { packClient } from './lib/pack-client.mjs';
import { inRoot } from './lib/paths.mjs';
import { npmCommand, run } from './lib/run.mjs';
import { fail, say } from './lib/say.mjs';

const [version] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version ?? '')) fail('Usage: npm run release 1.2.3');

const status = await run('git', ['status', '--porcelain']);
if (status.output.trim() !== '') fail('The working tree has changes. Commit or stash them first.');

const changelog = inRoot('CHANGELOG.md');
const text = readFileSync(changelog, 'utf8');
const heading = /^## (\S+), unreleased$/m.exec(text);
if (!heading) fail('CHANGELOG.md has no section "## VERSION, unreleased".');
const today = new Date().toISOString().slice(0, 10);
writeFileSync(changelog, text.replace(heading[0], `## ${version}, ${today}`));

for (const file of ourFiles().filter((name) => /(^|\/)package\.json$/.test(name))) {
  const json = JSON.parse(readFileSync(inRoot(file), 'utf8'));
  if (!/^(@wardline\/|wardline$)/.test(json.name)) continue;
  writeFileSync(inRoot(file), `${JSON.stringify({ ...json, version }, null, 2)}\n`);
}
const [npm, ...first] = npmCommand();
await succeed(npm, [...first, 'install', '--package-lock-only', '--ignore-scripts']);
const sbom = await succeed(npm, [...first, 'sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only']);
const target = `wardline-${version}.cdx.json`;
// npm may print warnings before the document.
writeFileSync(inRoot(target), sbom.slice(sbom.indexOf('{')));

const tarball = basename(await packClient(inRoot()));

say(
  `Version ${version} is written, ${target} is the bill of materials, ${tarball} the client for other applications. Go on with docs/releasing.md, step 3.`,
);

async function succeed(program, args) {
  const { code, output } = await run(program, args);
  if (code !== 0) fail(`${program} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}
