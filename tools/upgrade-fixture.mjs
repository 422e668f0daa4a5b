/**
 * Makes the upgrade fixture of a release: the demo hospital as this build makes it, with a row in every table, as SQL.
 * `--from <checkout> --rows <file>` makes that of an older build. See apps/server/db/fixtures/README.md.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { register } from 'tsx/esm/api';
import { inRoot, root } from './lib/paths.mjs';
import { fail, say } from './lib/say.mjs';

const FIXTURES = inRoot('apps', 'server', 'db', 'fixtures');
// What tests sign in with; it opens nothing but this fixture.
const APP_KEY = 'the app key of the upgrade fixture, 32+';
const PASSWORD = 'upgrade fixture';
/** A hundredth of the demo's long chat, and an eighth of its two years: every kind of row, a file of modest size. */
const SIZE = { longChatMessages: 200, censusDays: 92 };

const { values } = parseArgs({ options: { from: { type: 'string' }, rows: { type: 'string' } } });
const checkout = resolve(values.from ?? root);
const inServer = (path) => pathToFileURL(join(checkout, 'apps/server', path)).href;

register({ tsconfig: join(checkout, 'apps/server/tsconfig.json') });
const { startEmbeddedPostgres } = await import(inServer('src/platform/postgres/embedded.ts'));
const { migrate } = await import(inServer('src/platform/db/migrate.ts'));
const { createDatabase } = await import(inServer('src/platform/db/database.ts'));
// The first builds kept it a folder higher.
const passwordFile = ['src/features/auth/credentials/passwords.ts', 'src/features/auth/passwords.ts'].find((path) =>
  existsSync(join(checkout, 'apps/server', path)),
);
const { createPasswords } = await import(inServer(passwordFile));
const { seedDemo } = await import(inServer('seeds/demo-hospital.ts'));
const { withClient } = await import(inServer('src/platform/postgres/database-setup.ts'));
const { dumpDatabase, listTables } = await import(
  pathToFileURL(inRoot('apps', 'server', 'src', 'testing', 'dump-database.ts')).href
);

const silent = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
const dataDir = mkdtempSync(join(tmpdir(), 'wardline-fixture-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
let dump;
try {
  // The first builds kept their migrations there, and functions in them.
  const old = join(checkout, 'apps/server/migrations');
  await migrate(postgres.connectionString, existsSync(old) ? old : join(checkout, 'apps/server/db'));
  await seed();
  dump = await withClient(postgres.connectionString, async (client) => {
    await fillEmptyTables(client);
    return dumpDatabase(client);
  });
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
const git = (...args) => execFileSync('git', ['-C', checkout, ...args], { encoding: 'utf8' }).trim();
const file = `${version}-${git('rev-parse', '--short=7', 'HEAD')}.sql.gz`;
const packed = gzipSync(dump, { level: 9 });
writeFileSync(join(FIXTURES, file), packed);
say(
  `apps/server/db/fixtures/${file} written: ${(packed.length / 1e6).toFixed(2)} MB, ${(dump.length / 1e6).toFixed(1)} MB of SQL`,
);

async function seed() {
  const db = createDatabase(postgres.connectionString, silent, 2);
  const passwords = createPasswords(Buffer.from(APP_KEY));
  try {
    await seedDemo(db, { password: PASSWORD, hashPassword: (text) => passwords.hash(text), ...SIZE });
  } finally {
    await db.destroy();
  }
}

/** What the demo never does: tables that it leaves empty get the rows of a file. */
async function fillEmptyTables(client) {
  const extra = values.rows ?? join(FIXTURES, 'rows-beside-the-demo.sql');
  await client.query(readFileSync(extra, 'utf8'));
  const empty = [];
  for (const table of await listTables(client)) {
    const { rowCount } = await client.query(`select from ${client.escapeIdentifier(table)} limit 1`);
    if (rowCount === 0) empty.push(table);
  }
  if (empty.length > 0) fail(`Write rows for these tables into ${extra}: ${empty.join(', ')}`);
}
