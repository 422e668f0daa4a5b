/**
 * npm run new-feature NAME: a feature as a slice that works, from migration to page: things of a facility that its members
 * list and add (`bed-requests`: contract, table, two routes, test, screen). What it is about is then written into it. `--one NAME`
 * names one of them where leaving out the s does not.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { inRoot } from './lib/paths.mjs';
import { planFeature } from './lib/plan-feature.mjs';
import { run, runLocal } from './lib/run.mjs';
import { fail, say } from './lib/say.mjs';

const { values, positionals } = parseArgs({ options: { one: { type: 'string' } }, allowPositionals: true });
const [many] = positionals;
if (positionals.length !== 1) fail('Usage: npm run new-feature bed-requests');
if (existsSync(inRoot('apps/server/src/features', many))) fail(`There is a feature ${many} already.`);

for (const [file, content] of planFeature(many, values.one ?? many.replace(/s$/, ''))) {
  mkdirSync(dirname(inRoot(file)), { recursive: true });
  writeFileSync(inRoot(file), content);
  say(file);
}
await finish(runLocal('biome', ['check', '--write', '--colors=off', 'apps', 'packages', 'e2e']), 'format');
await finish(run(process.execPath, [inRoot('tools/database-types.mjs')]), 'database types');
// The build writes the tree of routes.
await finish(run(process.execPath, [inRoot('tools/build.mjs')]), 'build');
say(`The feature ${many} works. What comes next:
  its name in docs/glossary.md, and where it is in the navigation (apps/web/src/app/shell/nav-items.ts)
  who may (policy.ts of the server), and what it is about (the contract, the migration, the screen)
  its requests in docs/api.md: npx vitest run packages/contract/src/endpoints.test.ts -u
  npm run check, npm run test:changed, npm run screens, a line in CHANGELOG.md`);

async function finish(running, what) {
  const { code, output } = await running;
  if (code !== 0) fail(`${what}:\n${output}`);
}
