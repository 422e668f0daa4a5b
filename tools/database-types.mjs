/**
 * Writes the types of the migrated database: a temporary PostgreSQL, our migrations and functions, kysely-codegen.
 * `--check` only compares.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { register } from 'tsx/esm/api';
import { inRoot } from './lib/paths.mjs';
import { runLocal } from './lib/run.mjs';
import { fail, say } from './lib/say.mjs';

const TARGET = 'apps/server/src/platform/db/types.ts';
const platform = (path) => pathToFileURL(inRoot('apps', 'server', 'src', 'platform', path)).href;

register({ tsconfig: inRoot('apps', 'server', 'tsconfig.json') });
const { startEmbeddedPostgres } = await import(platform('postgres/embedded.ts'));
const { migrate } = await import(platform('db/migrate.ts'));

const dataDir = mkdtempSync(join(tmpdir(), 'wardline-types-'));
const silent = { info: () => {}, warn: () => {} };
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
let types;
try {
  await migrate(postgres.connectionString, inRoot('apps', 'server', 'db'));
  types = await generate(postgres.connectionString);
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

if (!process.argv.includes('--check')) {
  writeFileSync(inRoot(TARGET), types);
  say(`${TARGET} written`);
} else if (!existsSync(inRoot(TARGET)) || readFileSync(inRoot(TARGET), 'utf8') !== types) {
  say(`${TARGET} is not what the migrations make. Run: node tools/database-types.mjs`);
  process.exitCode = 1;
}

async function generate(url) {
  const file = join(dataDir, 'types.ts');
  // As platform/db/database.ts reads them: columns keep their names, bigint is a number, a date is its text.
  const reading = ['--date-parser', 'string', '--type-mapping', JSON.stringify({ int8: 'number' })];
  // What the migrations note of themselves is theirs alone.
  const flags = [
    '--dialect',
    'postgres',
    '--log-level',
    'error',
    '--exclude-pattern',
    'schema_*',
    ...reading,
    '--out-file',
    file,
  ];
  // The address holds a password: by the environment, because arguments can be read by every user.
  const generated = await runLocal('kysely-codegen', flags, { env: { DATABASE_URL: url } });
  if (generated.code !== 0) fail(`kysely-codegen ended with ${generated.code}:\n${generated.output}`);
  const formatted = await runLocal('biome', [
    'check',
    '--write',
    '--vcs-enabled=false',
    `--config-path=${inRoot()}`,
    file,
  ]);
  if (formatted.code !== 0) fail(`biome cannot format the generated types:\n${formatted.output}`);
  return readFileSync(file, 'utf8');
}
